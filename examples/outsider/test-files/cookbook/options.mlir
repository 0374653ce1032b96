// test: opt --pipeline="func.func(shop-prices,shop-discounts{limit=40 beyond=drop})" --stats

func.func @f(%price: i64) -> i64 {
  %a = shop.discount %price by 60
  %b = shop.discount %a by 40
  return %b : i64
}
// check: func.func @f
// check: by 0
// next: by 40

// test: round-trip
func.func @map(%x: tensor<19xf64>) -> (tensor<19xf64> {terrace.name = "y"}) {
  %e = tensor.empty() : tensor<19xf64>
  %r = linalg.map ins(%x : tensor<19xf64>) outs(%e : tensor<19xf64>) (%a: f64, %out: f64) {
    %one = arith.constant 1.0 : f64
    %0 = math.exp %a : f64
    %1 = arith.addf %one, %0 : f64
    %2 = arith.divf %0, %1 : f64
    linalg.yield %2 : f64
  }
  return %r : tensor<19xf64>
}

func.func @largest(%x: tensor<19xf32>) -> (tensor<f32> {terrace.name = "result"}) {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.maximumf } ins(%x : tensor<19xf32>) outs(%f : tensor<f32>) dimensions = [0]
  return %r : tensor<f32>
}

func.func @sum_max(%x: tensor<19xf32>) -> (tensor<f32> {terrace.name = "s"}, tensor<f32> {terrace.name = "m"}) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %g = linalg.fill ins(%low : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %r:2 = linalg.reduce ins(%x, %x : tensor<19xf32>, tensor<19xf32>) outs(%f, %g : tensor<f32>, tensor<f32>) dimensions = [0] (%a: f32, %b: f32, %s: f32, %m: f32) {
    %0 = arith.addf %s, %a : f32
    %1 = arith.maximumf %m, %b : f32
    linalg.yield %0, %1 : f32, f32
  }
  return %r#0, %r#1 : tensor<f32>, tensor<f32>
}

// test: round-trip
// batch norm: In training: the output and the running numbers
// From JAX 0.10.2 by IREE's input conversion; `generate.py` beside this made it.
// in 3x4x4x6xf32: 1.125 1.875 -0.9375 -1.1875 1.1875 1.3125 0.0625 -1.4375 1.375 0.0625 -1.4375 -1.5 -0.375 0.75 -0.375 1.375 -2 -0.3125
//   0.125 1.875 -1.0625 1.3125 -1.75 -0.6875 1 0.3125 1.8125 1 1.6875 1.3125 -1.5 1.75 1.375 -1.4375 1.9375 1 -0.75 -1.4375 -0.4375 1.625
//   1.1875 -1.125 -0.0625 1.4375 0.5625 -0.8125 -1.5625 1.9375 -1.0625 0.0625 0.75 -0.75 0.0625 -0.875 1.375 0.4375 -1.3125 -0.6875 0.75
//   0.75 -0.75 -1.375 -1.4375 -1 1.1875 1.5 -0.625 0.4375 0 -0.9375 0.125 -1.4375 -0.0625 -1.5 -1.0625 -1 -1.9375 -0.5 0.875 0.625 1.125
//   1.375 -1.8125 1.125 -1.5625 -0.625 -1.6875 -1.4375 -0.0625 -0.1875 -0.5625 -0.25 -0.3125 0.3125 0.5 -0.5 1.0625 0.5625 -0.0625 -1.5625
//   1.375 -1.0625 -0.6875 1.0625 1.4375 2 1.3125 1.25 1 1.375 0.25 1.1875 -1.0625 -0.1875 1.1875 1 -0.3125 0.3125 -0.5625 -0.1875 -1.875
//   -0.9375 1 1.5 1.25 -1.75 -1.375 1.3125 0.625 1.5625 -0.1875 -0.3125 -1.0625 1.375 -1.375 -0.625 -1.75 0.0625 0.4375 0.1875 0.1875 -1.25
//   -0.5 -0.6875 0.75 -0.875 0.5 -0.1875 1.875 0.6875 -1.3125 0.75 -0.6875 0.125 -1.1875 -0.125 -1.8125 0.0625 0.0625 -0.6875 0 -1.3125
//   1.6875 -0.8125 1.25 0.625 0.875 -1.75 1 0.5625 -1.6875 -0.875 1.625 -1.25 1.3125 -0.0625 -0.625 -0.625 -1.625 -1.625 1.375 0.875
//   -1.5625 1.1875 1.1875 -1.875 1.625 0.5 0.4375 -1 1.0625 -0.3125 1.1875 1.1875 0.375 0.125 -0.125 -2 0.5 -1.9375 1.4375 -0.4375 0.5625
//   1.625 1.625 -1.0625 -0.8125 -0.25 -0.375 -1.4375 -1.4375 1.25 -1.25 -0.5 1.5 -0.5625 -0.6875 -1 1.75 1.375 1.25 -0.25 -0.375 -1.8125
//   -0.75 1.25 1.5 -1 -1.5625 -1.3125 0.6875 -1.0625 -0.375 0.1875 1.5625 1.875 -1.5 -0.875 0.125 -0.1875 -1.8125 0.4375 0.6875 1.9375
//   1.875 1.8125 -0.9375 -0.4375 -0.75 -0.5 -0.4375 -0.3125 1.3125 -1.5625 1.4375 1.3125 0.25 1.5625 1.8125 -0.5 0.875 0.9375 0.25 1 1.3125
//   -0.25 2 1.4375 -0.1875 1.9375 -0.5625 1.875 0.3125 -0.25 -1.0625 -1.3125 -1.125 1.1875 0.9375 1.8125 0.0625 0.0625 1.625 -0.875 1
//   1.6875 0.75 1.5
// in 6xf32: 0.0625 -0.0625 1.4375 1.5 1.375 -0.4375
// in 6xf32: -1.625 -1.9375 1.25 -1.625 -0.8125 -0.125
// in 6xf32: -0.75 -0.9375 1.375 -2 1.4375 -1.25
// in 6xf32: 1.75 1.5625 0.3125 0.375 0.6875 0.375
// out 3x4x4x6xf32: -1.5683453 -2.0344622 -0.14881292 -3.458642 0.41158888 -0.6731711 -1.625 -1.848855 3.0038416 -1.7529285 -2.6925159
//   0.39933756 -1.6483284 -1.9714259 0.6180489 0.03807062 -3.357681 -0.053499423 -1.6216674 -2.0344622 -0.31922668 -0.047215044 -3.0620518
//   0.08950172 -1.5750105 -1.9469117 3.6002898 -0.47364336 1.002847 -0.6731711 -1.7083157 -2.0274582 3.0038416 -3.7997847 1.2984759
//   -0.5540035 -1.6683242 -1.848855 0.53284204 0.37921327 0.41158888 0.25633642 -1.6316652 -2.009948 1.8961521 -2.946928 -2.8403301
//   -0.91150635 -1.6849873 -1.9329036 2.1517727 -2.8616424 -0.91874164 0.16100231 -1.5550147 -1.9539157 -0.66005415 -2.7763567 -0.105761886
//   -0.45866936 -1.6683242 -1.852357 -0.830468 -3.202785 0.41158888 -0.74467164 -1.6616589 -1.9539157 1.1292902 -3.1174994 -0.84483445
//   0.37550405 -1.6316652 -1.845353 -0.31922668 -3.202785 -3.2837737 0.01800115 -1.5816758 -1.9644217 2.6630142 0.03807062 -3.1359591
//   -0.6016705 -1.7116483 -1.8943813 -1.1712955 -3.7997847 -1.0665562 -0.10116647 -1.6583263 -1.9153935 0.7032558 -1.4117858 -0.4013909
//   0.01800115 -1.5716779 -1.9609197 1.0440834 -3.970356 0.6333107 0.2325029 -1.6649916 -1.988936 3.0890486 0.89092743 0.55940336
//   -0.64933753 -1.5750105 -2.0064461 1.4701178 -0.21778637 -2.249072 -0.10116647 -1.5650127 -1.9854339 0.7032558 -1.4117858 -1.6578141
//   -0.10116647 -1.7283115 -1.8768712 2.4926002 0.20864195 0.48549607 0.49467164 -1.7016505 -2.002944 1.9813591 0.2939276 -1.2143707
//   -0.053499423 -1.6849873 -2.0064461 -0.74526113 -2.691071 -3.0620518 -0.19650057 -1.6050042 -1.9399077 1.384911 -3.5439277 -1.5839069
//   0.08950172 -1.5883411 -1.8803732 1.8109453 -2.0940711 1.2245686 -0.43483582 -1.6983179 -1.9714259 0.19201449 -1.6676428 -2.3968866
//   -0.125 -1.7249789 -1.9329036 1.2144971 -2.7763567 -0.9926489 0.327837 -1.5383517 -1.8838753 2.833428 -0.9853574 0.042052604 0.49467164
//   -1.5750105 -1.9609197 -1.1712955 -3.0322137 0.92893964 0.30400345 -1.5583473 -1.9258995 0.27722138 -2.691071 -2.9142375 0.44700462
//   -1.5550147 -1.9784299 -1.0008818 -0.21778637 0.41158888 0.5423387 -1.5416843 -1.9574177 1.7257384 -3.202785 0.2637743 -0.053499423
//   -1.5650127 -1.99594 1.6405315 -1.6676428 -1.1404635 0.59000576 -1.6016716 -1.8208388 3.0890486 -2.4352138 -0.32748365 -0.7923387
//   -1.5416843 -1.8698672 0.021600734 -2.1793568 -1.4360924 0.37550405 -1.7049831 -1.9994421 -0.57484734 -2.5204995 0.78112507 0.041834682
//   -1.6649916 -1.8733692 3.515083 0.03807062 0.48549607 -0.07733295 -1.6483284 -1.8278428 0.10680765 -0.13250071 0.78112507 0.20866936
//   -1.7116483 -1.855859 2.066566 -3.2880707 -1.4360924 -0.24416763 -1.5450169 -2.0344622 -0.9156748 -3.0322137 -0.84483445 -0.10116647
//   -1.7249789 -1.9539157 2.066566 0.8056418 1.2245686 -0.86383927 -1.6783221 -1.9048874 0.10680765 -2.5204995 -1.5099996 -0.053499423
//   -1.5583473 -1.841851 3.0890486 -0.047215044 -0.69701993 -0.7685052 -1.5316863 -1.9013854 2.3221865 -0.558929 -0.69701993 -0.5540035
//   -1.5583473 -1.9153935 3.8559105 0.12335628 -1.2143707 -0.91150635 -1.6583263 -2.0344622 1.5553247 -2.1793568 -2.249072 0.327837
//   -1.6883199 -1.99594 2.4073935 0.63507044 -0.91874164 -0.19650057 -1.5416843 -1.8803732 2.4926002 0.46449912 -0.105761886 -0.74467164
// out 6xf32: -0.66875 -0.8292968 1.2463541 -1.784375 1.3089844 -1.1374999
// out 6xf32: 1.712386 1.5306666 0.39242893 0.4583333 0.7539535 0.46912435
func.func @main(%arg0: tensor<3x4x4x6xf32>, %arg1: tensor<6xf32>, %arg2: tensor<6xf32>, %arg3: tensor<6xf32>, %arg4: tensor<6xf32>) -> (tensor<3x4x4x6xf32>, tensor<6xf32>, tensor<6xf32>) {
  %cst = arith.constant 1.000000e-01 : f32
  %cst_0 = arith.constant 0.899999976 : f32
  %cst_1 = arith.constant 9.99999974E-6 : f32
  %cst_2 = arith.constant 0x7FC00000 : f32
  %cst_3 = arith.constant 4.800000e+01 : f32
  %cst_4 = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<6xf32>
  %1 = linalg.fill ins(%cst_4 : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>, affine_map<(d0, d1, d2, d3) -> (d0)>], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%arg0 : tensor<3x4x4x6xf32>) outs(%1 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.addf %out, %in : f32
    linalg.yield %62 : f32
  } -> tensor<6xf32>
  %3 = tensor.empty() : tensor<6xf32>
  %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%2 : tensor<6xf32>) outs(%3 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.divf %in, %cst_3 : f32
    linalg.yield %62 : f32
  } -> tensor<6xf32>
  %5 = tensor.empty() : tensor<1x1x1x6xf32>
  %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<6xf32>) outs(%5 : tensor<1x1x1x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x1x1x6xf32>
  %7 = tensor.empty() : tensor<1x1x1x6xf32>
  %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x1x1x6xf32>) outs(%7 : tensor<1x1x1x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.divf %in, %cst_3 : f32
    linalg.yield %62 : f32
  } -> tensor<1x1x1x6xf32>
  %9 = tensor.empty() : tensor<3x4x4x6xf32>
  %10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x1x1x6xf32>) outs(%9 : tensor<3x4x4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x4x4x6xf32>
  %11 = tensor.empty() : tensor<3x4x4x6xf32>
  %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %10 : tensor<3x4x4x6xf32>, tensor<3x4x4x6xf32>) outs(%11 : tensor<3x4x4x6xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %62 = arith.subf %in, %in_5 : f32
    linalg.yield %62 : f32
  } -> tensor<3x4x4x6xf32>
  %13 = tensor.empty() : tensor<3x4x4x6xf32>
  %14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<3x4x4x6xf32>) outs(%13 : tensor<3x4x4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.mulf %in, %in : f32
    linalg.yield %62 : f32
  } -> tensor<3x4x4x6xf32>
  %15 = tensor.empty() : tensor<f32>
  %16 = linalg.generic {indexing_maps = [affine_map<() -> ()>], iterator_types = []} outs(%15 : tensor<f32>) {
  ^bb0(%out: f32):
    linalg.yield %cst_4 : f32
  } -> tensor<f32>
  %17 = tensor.empty() : tensor<f32>
  %18 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%16 : tensor<f32>) outs(%17 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.subf %cst_3, %in : f32
    linalg.yield %62 : f32
  } -> tensor<f32>
  %19 = tensor.empty() : tensor<6xf32>
  %20 = linalg.fill ins(%cst_4 : f32) outs(%19 : tensor<6xf32>) -> tensor<6xf32>
  %21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d2, d3, d0)>, affine_map<(d0, d1, d2, d3) -> (d0)>], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%14 : tensor<3x4x4x6xf32>) outs(%20 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.addf %out, %in : f32
    linalg.yield %62 : f32
  } -> tensor<6xf32>
  %22 = tensor.empty() : tensor<6xf32>
  %23 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%18 : tensor<f32>) outs(%22 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<6xf32>
  %24 = tensor.empty() : tensor<6xf32>
  %25 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%21, %23 : tensor<6xf32>, tensor<6xf32>) outs(%24 : tensor<6xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %62 = arith.divf %in, %in_5 : f32
    linalg.yield %62 : f32
  } -> tensor<6xf32>
  %26 = tensor.empty() : tensor<i1>
  %27 = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%18 : tensor<f32>) outs(%26 : tensor<i1>) {
  ^bb0(%in: f32, %out: i1):
    %62 = arith.cmpf ogt, %in, %cst_4 : f32
    linalg.yield %62 : i1
  } -> tensor<i1>
  %28 = tensor.empty() : tensor<6xf32>
  %extracted = tensor.extract %27[] : tensor<i1>
  %29 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%25 : tensor<6xf32>) outs(%28 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.select %extracted, %in, %cst_2 : f32
    linalg.yield %62 : f32
  } -> tensor<6xf32>
  %30 = tensor.empty() : tensor<3x4x4x6xf32>
  %31 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4 : tensor<6xf32>) outs(%30 : tensor<3x4x4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x4x4x6xf32>
  %32 = tensor.empty() : tensor<3x4x4x6xf32>
  %33 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %31 : tensor<3x4x4x6xf32>, tensor<3x4x4x6xf32>) outs(%32 : tensor<3x4x4x6xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %62 = arith.subf %in, %in_5 : f32
    linalg.yield %62 : f32
  } -> tensor<3x4x4x6xf32>
  %34 = tensor.empty() : tensor<6xf32>
  %35 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%29 : tensor<6xf32>) outs(%34 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.addf %in, %cst_1 : f32
    linalg.yield %62 : f32
  } -> tensor<6xf32>
  %36 = tensor.empty() : tensor<6xf32>
  %37 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%35 : tensor<6xf32>) outs(%36 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = math.rsqrt %in : f32
    linalg.yield %62 : f32
  } -> tensor<6xf32>
  %38 = tensor.empty() : tensor<3x4x4x6xf32>
  %39 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<6xf32>) outs(%38 : tensor<3x4x4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x4x4x6xf32>
  %40 = tensor.empty() : tensor<3x4x4x6xf32>
  %41 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %39 : tensor<3x4x4x6xf32>, tensor<3x4x4x6xf32>) outs(%40 : tensor<3x4x4x6xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %62 = arith.mulf %in, %in_5 : f32
    linalg.yield %62 : f32
  } -> tensor<3x4x4x6xf32>
  %42 = tensor.empty() : tensor<3x4x4x6xf32>
  %43 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<6xf32>) outs(%42 : tensor<3x4x4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x4x4x6xf32>
  %44 = tensor.empty() : tensor<3x4x4x6xf32>
  %45 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %43 : tensor<3x4x4x6xf32>, tensor<3x4x4x6xf32>) outs(%44 : tensor<3x4x4x6xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %62 = arith.mulf %in, %in_5 : f32
    linalg.yield %62 : f32
  } -> tensor<3x4x4x6xf32>
  %46 = tensor.empty() : tensor<3x4x4x6xf32>
  %47 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<6xf32>) outs(%46 : tensor<3x4x4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<3x4x4x6xf32>
  %48 = tensor.empty() : tensor<3x4x4x6xf32>
  %49 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %47 : tensor<3x4x4x6xf32>, tensor<3x4x4x6xf32>) outs(%48 : tensor<3x4x4x6xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %62 = arith.addf %in, %in_5 : f32
    linalg.yield %62 : f32
  } -> tensor<3x4x4x6xf32>
  %50 = tensor.empty() : tensor<6xf32>
  %51 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg3 : tensor<6xf32>) outs(%50 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.mulf %in, %cst_0 : f32
    linalg.yield %62 : f32
  } -> tensor<6xf32>
  %52 = tensor.empty() : tensor<6xf32>
  %53 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%4 : tensor<6xf32>) outs(%52 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.mulf %in, %cst : f32
    linalg.yield %62 : f32
  } -> tensor<6xf32>
  %54 = tensor.empty() : tensor<6xf32>
  %55 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%51, %53 : tensor<6xf32>, tensor<6xf32>) outs(%54 : tensor<6xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %62 = arith.addf %in, %in_5 : f32
    linalg.yield %62 : f32
  } -> tensor<6xf32>
  %56 = tensor.empty() : tensor<6xf32>
  %57 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg4 : tensor<6xf32>) outs(%56 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.mulf %in, %cst_0 : f32
    linalg.yield %62 : f32
  } -> tensor<6xf32>
  %58 = tensor.empty() : tensor<6xf32>
  %59 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%29 : tensor<6xf32>) outs(%58 : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %62 = arith.mulf %in, %cst : f32
    linalg.yield %62 : f32
  } -> tensor<6xf32>
  %60 = tensor.empty() : tensor<6xf32>
  %61 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%57, %59 : tensor<6xf32>, tensor<6xf32>) outs(%60 : tensor<6xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %62 = arith.addf %in, %in_5 : f32
    linalg.yield %62 : f32
  } -> tensor<6xf32>
  return %49, %55, %61 : tensor<3x4x4x6xf32>, tensor<6xf32>, tensor<6xf32>
}

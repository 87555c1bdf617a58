# What Clang writes into device code and NVIDIA's libdevice does not have. Compilers link libdevice into their own
# modules (XLA, Numba, Triton): flags of modules that both have may collide, and a function for one kind of GPU is
# not inlined into code for another.
/^!llvm\.module\.flags = /d
/^!llvm\.ident = /d
s/ "target-cpu"="[^"]*"//g
s/ "target-features"="[^"]*"//g
s/ "frame-pointer"="[^"]*"//g
s/ "stack-protector-buffer-size"="[^"]*"//g

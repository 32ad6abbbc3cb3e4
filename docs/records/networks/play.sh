#!/bin/bash
# Plays games for ever into the folder $1 with the program $2: test sets first, then chunk after chunk.
D=$1; P=$2
mkdir -p $D; cd $D
play() { # name seed first games player solve random
  [ -e $1 ] && return
  s=$(date +%s.%N)
  $P train selfplay --rule reversed --seed $2 --first $3 --games $4 --player $5 --solve-from $6 --random $7 --lambda 0 -o $1 >> log 2>&1
  echo "$1 took $(echo "$(date +%s.%N) - $s" | bc 2>/dev/null || python3 -c "import time,sys; print(time.time()-$s)") s" >> log
}
chunk() { play a-$(printf %03d $1).dat 7 $(($1 * 32768)) 32768 engine:4 14 4..36; }
fit() { # data weights options
  [ -e $1 ] && [ ! -e $2 ] || return
  s=$(date +%s)
  $P train fit --data $1 --rule reversed --iterations 60 $3 --json -o $2 > $2.report 2>&1
  echo "$2 took $(($(date +%s) - s)) s" >> log
}
for i in 0 1 2; do chunk $i; done
play proved.dat 91 0 1024 engine:4 20 4..36
play deep.dat 92 0 768 engine:10 14 4..36
for i in $(seq 3 14); do chunk $i; done
# Deeper labels: about as many seconds as three chunks.
play b-0.dat 93 0 12288 engine:6 16 4..36
for i in $(seq 15 99); do chunk $i; fit fit.dat fit.bin; fit fit2.dat fit2.bin; done

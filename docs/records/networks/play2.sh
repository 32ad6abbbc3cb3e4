#!/bin/bash
# Plays games of both rules for ever into the folder $1 with the program $2.
D=$1; P=$2
mkdir -p $D; cd $D
play() { # name rule seed first games player solve
  [ -e $1 ] && return
  s=$(date +%s)
  $P train selfplay --rule $2 --seed $3 --first $4 --games $5 --player $6 --solve-from $7 --random 4..36 --lambda 0 -o $1.part >> log 2>&1
  mv $1.part $1
  echo "$1 $(($(date +%s) - s)) s, at $(($(date +%s) - T0)) s" >> log
}
T0=$(date +%s)
r() { for i in $(seq $1 $2); do play a-$(printf %03d $i).dat reversed 7 $((i * 32768)) 32768 engine:4 14; done; }
n() { for i in $(seq $1 $2); do play n-$(printf %03d $i).dat normal 7 $((i * 32768)) 32768 engine:4 14; done; }
r 0 11
n 0 5
play proved.dat reversed 91 0 1024 engine:4 20
play deep.dat reversed 92 0 768 engine:10 14
play nproved.dat normal 91 0 1024 engine:4 20
play ndeep.dat normal 92 0 256 engine:10 14
play b-000.dat reversed 93 0 24576 engine:6 16
play b-001.dat reversed 93 24576 24576 engine:6 16
r 12 31
n 6 23
r 32 47
n 24 33
r 48 999

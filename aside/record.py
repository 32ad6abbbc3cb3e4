import json,os,re,subprocess
R='/work/reports/'
lib=open(R+'crates/experiments/src/lib.rs').read()
order=[m.replace('_','-') for m in re.findall(r'    (\w+)::EXPERIMENT,',lib)]
def digits(v,d):
    t=f"{abs(v):,.{d}f}"
    neg = v<0 and any(c in '123456789' for c in t)
    return ('−' if neg else '')+t
def fig(f):
    if f is None: return '–'
    if isinstance(f,str): return f
    s=digits(f['value'],f['decimals'])
    if f.get('reach') is not None: s+=' ± '+digits(f['reach'],f['decimals'])
    return s
def load(slug,name):
    p=f'{R}experiments/{slug}/{name}'
    return json.load(open(p)) if os.path.exists(p) else None
rows=[];concl=[];secs=[];n=0;commits={}
tot=0
for slug in order:
    r=load(slug,'results.json'); t=load(slug,'timings.json'); pv=load(slug,'provenance.json')
    if not r: continue
    first=True
    for c in r['comparisons']+(t['comparisons'] if t else []):
        v={'agrees':'agrees','differs':'**differs**','open':''}[c['verdict']]
        head=f"[{slug}](../../experiments/{slug}/page.md)" if first else ''
        first=False
        rows.append(f"| {head} | {c['what']} | {fig(c['report'])} | {fig(c['ours'])} | {v} |"); n+=1
    concl.append(f"| {r['title']} | {r['source'][0].lower()+r['source'][1:]} | {r['meaning'][0]} {r['meaning'][1]} |")
    secs.append((slug,pv['seconds'],pv['commit'],pv['profile'],pv['began'][:10],pv['threads'])); tot+=pv['seconds']
    commits.setdefault((pv['commit'],pv['profile'],pv['began'][:10]),[]).append(slug)
out=[f"# Experiments of the five reports, run again\n",
f"Present state: {len(secs)} experiments, {n} figures, beside the reports' where they have some; each folder repeats to the byte, and `isrever lab check` names those that no longer do.",
"Where ours differ by more than both intervals explain, the folder's page says why.\n",
"- Command: `isrever lab run all`, the settings of each in its `experiment.toml`; `isrever lab report` makes one page of them"]
for (c,p,d),l in commits.items():
    out.append(f"- {d}, commit {c}, {p} build: {', '.join(l)}")
out+=["- Compiler: rustc 1.95.0 (59807616e 2026-04-14)","- Machine: Intel(R) Xeon(R) Processor, two cores shared with other work; `provenance.json` of each folder has its threads","- `zero`: its games at 5 s a move are from [a record of their own](zero.md#against-the-reports-agents-at-5-s-a-move)\n",
"Intervals are of 95 %. **Differs**: by more than both intervals explain.\n","## Figures\n","| experiment | what | report | ours | |","|---|---|---|---|---|"]+rows
out+=["\n## Conclusions\n","| experiment | source | conclusion |","|---|---|---|"]+concl
out+=["\nThe tunings under `experiments/` are in [tuning.md](tuning.md), the cycle found by a tournament in [arena.md](arena.md#a-cycle).\n","## How long they took","Wall-clock seconds on two cores that other programs used too, at the lowest priority.\n","| experiment | seconds |","|---|---:|"]
out+=[f"| {s} | {t:.1f} |" for s,t,*_ in secs]+[f"| all | {tot:.0f} |"]
open(R+'docs/records/experiments.md','w').write('\n'.join(out)+'\n')
print(len(secs),n)

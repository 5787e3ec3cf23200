/** The style of the page: its own colours in light and dark, readable on a phone and on paper. */
export const htmlStyle = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --line: #dfe3e8; --text: #1c2430; --soft: #586474; --code: #f1f3f6;
  --good: #146c43; --good-back: #e3f4ea; --bad: #b42318; --bad-back: #fdecea; --warn: #8a5300; --warn-back: #fdf1dc;
  --none: #586474; --none-back: #eceff3; --link: #1f5fbf;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --card: #1a2029; --line: #2d3643; --text: #e6eaf0; --soft: #9aa7b8; --code: #11151b;
    --good: #5fd398; --good-back: #12301f; --bad: #ff9085; --bad-back: #3a1815; --warn: #f0b95a; --warn-back: #33260d;
    --none: #9aa7b8; --none-back: #262e39; --link: #8ab8ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
header { display: flex; flex-wrap: wrap; align-items: flex-start; gap: 1rem 1.5rem; }
header > div { flex: 1 1 20rem; min-width: 0; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; }
p { margin: .35rem 0; }
.soft { color: var(--soft); }
.verdict { font-weight: 700; font-size: 1.15rem; padding: .45rem 1.1rem; border-radius: .6rem; white-space: nowrap; }
.ready, .not-tried, .passed { color: var(--good); background: var(--good-back); }
.not-conforming, .conforms-not-ready, .failed { color: var(--bad); background: var(--bad-back); }
.not-checked, .incomplete, .warning { color: var(--warn); background: var(--warn-back); }
.skipped, .chosen-checks { color: var(--none); background: var(--none-back); }
.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem; margin: 1.5rem 0 1rem; padding: 0; list-style: none; }
.counts li { border-radius: .6rem; padding: .6rem .9rem; }
.counts b { display: block; font-size: 1.6rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem 1.15rem; margin: .75rem 0; }
.parts { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: .9rem 1.5rem; margin: 0; padding: 0; list-style: none; }
.parts ul { margin: 0; padding: 0 0 0 1.5rem; list-style: none; }
.parts small { display: block; color: var(--soft); padding-left: 1.5rem; }
.mark { display: inline-block; width: 1.5rem; font-weight: 700; }
.yes { color: var(--good); } .no { color: var(--bad); }
.finding { border-left: .3rem solid var(--line); }
.finding.failed, .finding.warning { color: inherit; background: var(--card); }
.finding.failed { border-left-color: var(--bad); } .finding.warning { border-left-color: var(--warn); }
.finding h3 { font-size: 1rem; margin: 0 0 .25rem; overflow-wrap: anywhere; }
.causes { margin: .75rem 0; padding: 0 0 0 1.25rem; } .causes li { margin: .2rem 0; overflow-wrap: anywhere; }
.cause > summary { overflow-wrap: anywhere; } .cause > .finding { margin: .75rem 0 0; }
.cause.failed, .cause.warning { color: inherit; background: var(--card); }
.all > summary h2 { display: inline; margin: 0; } .all > summary { margin: 2rem 0 .75rem; cursor: pointer; }
.badge { display: inline-block; font-size: .78rem; font-weight: 600; border-radius: .35rem; padding: .05rem .5rem; margin-right: .4rem; white-space: nowrap; }
dl { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: .45rem 1rem; align-items: baseline; margin: .75rem 0 0; }
dt { color: var(--soft); } dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
pre { margin: 0; padding: .5rem .7rem; background: var(--code); border: 1px solid var(--line); border-radius: .45rem; font: .84rem/1.45 ui-monospace, "SF Mono", Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 18rem; overflow: auto; }
code { font: .88em ui-monospace, "SF Mono", Consolas, monospace; }
details > summary { cursor: pointer; }
details.card > summary { font-weight: 600; }
details.card > summary .soft { font-weight: 400; margin-left: .5rem; }
details.inner { margin-top: .5rem; } details.inner pre { margin-top: .35rem; }
table { width: 100%; border-collapse: collapse; margin-top: .75rem; font-size: .92rem; }
td { border-top: 1px solid var(--line); padding: .4rem .5rem .4rem 0; vertical-align: top; overflow-wrap: anywhere; }
td:first-child { width: 5.5rem; }
td p { margin: 0; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
footer { margin-top: 3rem; color: var(--soft); font-size: .88rem; }
@media (max-width: 36rem) { h1 { font-size: 1.2rem; } dl { grid-template-columns: minmax(0, 1fr); gap: .1rem; } dd { margin-bottom: .5rem; } }
@media print { body { background: none; } .card { break-inside: avoid; } pre { max-height: none; } }
`.trim()

/** On top of a transcript's own style, with its colours. */
export const REPORT_STYLE = `
main { max-width: 64rem; }
section { margin-top: 2rem; }
section > * + *:not(.cell) { margin-top: .75rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: .35rem .7rem; text-align: left; white-space: nowrap; }
th:first-child { padding-left: 0; }
thead th { font-size: .75rem; letter-spacing: .04em; color: var(--quiet); }
tbody tr { border-top: 1px solid var(--line); }
tbody th { font-weight: 600; }
.scroll { overflow-x: auto; }
.notes { list-style: disc; padding-left: 1.2rem; }
.notes li { margin: 0; }
.mixed { box-shadow: inset 0 0 0 1px var(--line); }
.bars { margin-top: .75rem; }
.bars li { border-radius: .375rem; padding: .375rem .75rem; margin-top: .375rem; overflow-wrap: anywhere; }
td a { text-decoration: none; display: inline-block; }
.trial td:last-child { white-space: normal; min-width: 12rem; overflow-wrap: break-word; }
.plot { margin: 0; }
figcaption { font-size: .8125rem; color: var(--quiet); margin-bottom: .5rem; }
.plot .mark { display: grid; grid-template-columns: minmax(4rem, 12rem) 1fr; gap: 1.25rem; align-items: center; }
.plot .mark > span { text-align: right; overflow-wrap: anywhere; font-size: .875rem; line-height: 1.3; }
.plot .track { position: relative; height: 2rem; margin-right: 1.5rem; }
.plot .scale { position: relative; height: 1.25rem; margin-right: 1.5rem; font-size: .75rem; color: var(--quiet); }
.plot .scale span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
.plot i { position: absolute; }
.plot .tick { top: 0; bottom: 0; border-left: 1px solid var(--line); }
.plot .whisker { top: calc(50% - 1px); height: 2px; background: var(--focus); }
.plot .dot { top: calc(50% - 5px); width: 10px; height: 10px; margin-left: -5px; border-radius: 50%; background: var(--focus); }
.plot .pale .whisker, .plot .pale .dot { opacity: .45; }
.cell { border-top: 1px solid var(--line); padding: .5rem 0; }
.cell:target { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: .25rem; }
.cell summary { overflow-wrap: anywhere; }
.cell > summary, .trial > summary { color: var(--text); }
.inner { padding: .25rem 0 .25rem 1.1rem; }
.inner > .quiet { font-size: .875rem; }
.inner > * + * { margin-top: .5rem; }
.patch { overflow-x: auto; }
.patch .plus { color: var(--good); }
.patch .minus { color: var(--bad); }
.patch .where { color: var(--quiet); }
@media (max-width: 32rem) {
  .plot .mark { grid-template-columns: 1fr; gap: 0; margin-top: .25rem; }
  .plot .mark > span { text-align: left; }
  .plot .track, .plot .scale { margin: 0 1.25rem; }
  .plot .track { height: 1.5rem; }
  .inner { padding-left: .5rem; }
}
`;

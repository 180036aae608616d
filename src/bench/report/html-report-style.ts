/** On top of a transcript's own style, with its colours. */
export const REPORT_STYLE = `
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: .35rem .7rem; text-align: left; white-space: nowrap; }
thead th { font-size: .75rem; letter-spacing: .04em; color: var(--quiet); }
tbody tr { border-top: 1px solid var(--line); }
tbody th { font-weight: 600; }
.scroll { overflow-x: auto; }
.notes { padding-left: 1.2rem; }
.plot text { fill: var(--text); font-size: 12px; }
.plot .tick { text-anchor: middle; fill: var(--quiet); }
.plot .label { text-anchor: end; }
.plot .grid { stroke: var(--line); }
.plot .mark line { stroke: var(--focus); stroke-width: 2; }
.plot .mark circle { fill: var(--focus); }
.plot .pale { opacity: .55; }
.trial { border-top: 1px solid var(--line); padding: .4rem 0; }
.trial summary { cursor: pointer; }
.patch { overflow-x: auto; }
.patch .plus { color: var(--good); }
.patch .minus { color: var(--bad); }
`;

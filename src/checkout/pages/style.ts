// The only stylesheet of the payer's pages, inlined into each of them. It must work on phones whose browser stopped
// being updated years ago, so it uses variables and media queries, and nothing newer.

import { BACKGROUNDS } from '../../core/accent-color.ts'

const { light, dark } = BACKGROUNDS

export const STYLE = `
:root{color-scheme:light dark;--card:${light.card};--page:${light.page};--ink:#17211d;--soft:#52605a;--line:#dde3df;--edge:#76847d;--accent:#0b5c4a;--good:#0a6b45;--goodbg:#e3f4ec;--bad:#a1241b;--badbg:#fdeceb;--note:#5b4300;--notebg:#fdf3d7}
@media(prefers-color-scheme:dark){:root{--card:${dark.card};--page:${dark.page};--ink:#e8eeeb;--soft:#a8b5af;--line:#303b36;--edge:#7d8b84;--accent:#7fd6bd;--good:#7fdcb0;--goodbg:#143527;--bad:#ffa198;--badbg:#3d1c19;--note:#f3d588;--notebg:#352b10}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:30rem;padding:0 .75rem 2rem;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--ink);background:var(--page);overflow-wrap:anywhere}
p,dl,ol,figure,fieldset{margin:0 0 1rem}
h1{font-size:1.3rem;line-height:1.25;margin:0 0 .75rem}
h2{font-size:1rem;margin:0 0 .5rem}
a{color:var(--accent)}
dd{margin:0}
[hidden]{display:none!important}
.soft,footer{color:var(--soft);font-size:.9rem}
.ribbon{margin:0 -.75rem;padding:.5rem .75rem;background:var(--notebg);color:var(--note);text-align:center;font-size:.9rem;font-weight:600}
.charge{display:grid;grid-template-columns:auto 1fr;grid-column-gap:.75rem;align-items:center;padding:1rem .25rem .25rem}
.logo{width:2.75rem;height:2.75rem;border-radius:50%;object-fit:contain;background:var(--accent);color:var(--card);display:grid;place-items:center;font-size:1.25rem;font-weight:700}
img.logo{background:#fff;border-radius:.5rem}
.who{margin:0;line-height:1.3;min-width:0}
.who span{color:var(--soft);font-size:.9rem;display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden}
.amount{grid-column:1/3;margin:.6rem 0 0;font-size:2rem;line-height:1.1;font-weight:700;letter-spacing:-.01em}
h1+.amount{margin-bottom:1rem}
main{margin-top:.75rem;background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:1.25rem 1.1rem .5rem}
footer{padding:1rem .25rem 0;text-align:center}
footer p{margin:0 0 .25rem}
footer a{display:inline-block;padding:.25rem .5rem}
.button,button{display:block;width:100%;min-height:3rem;padding:.7rem 1rem;border:1px solid var(--accent);border-radius:.7rem;background:var(--accent);color:var(--card);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.plain{background:none;color:var(--accent)}
button:disabled{opacity:.7;cursor:default}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
form{margin:0 0 1rem}
form .soft{margin:.5rem 0 1rem}
fieldset{border:0;padding:0;min-width:0}
legend{padding:0;margin:0 0 .75rem;font-weight:700}
[type=radio]{position:absolute;width:1.2rem;height:1.2rem;margin:1.05rem 0 0 1rem;accent-color:var(--accent)}
.way{display:block;margin:0 0 .6rem;padding:.85rem 1rem .85rem 3rem;border:1px solid var(--edge);border-radius:.8rem;font-size:.9rem;color:var(--soft);cursor:pointer}
.way b{font-size:1rem;color:var(--ink)}
:checked+.way{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
:focus-visible+.way{outline:3px solid var(--accent);outline-offset:2px}
#PSE:not(:checked)~.pse{display:none}
.rail{width:1.35em;height:1.35em;margin-right:.4em;vertical-align:-.3em;fill:none;stroke:var(--accent);stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.field{display:grid}
.hint{color:var(--soft);font-size:.9rem}
.field label{font-weight:600}
.field input,select{width:100%;min-height:3rem;margin-top:.25rem;padding:.6rem .8rem;border:1px solid var(--edge);border-radius:.7rem;background:var(--card);color:var(--ink);font:inherit}
[aria-invalid]{border:2px solid var(--bad)!important}
.error{color:var(--bad);font-size:.9rem;font-weight:600;margin-top:.25rem}
.terms{margin:0 0 1rem;padding-left:1.1rem}
.terms a{display:block;padding:.25rem 0}
.accept{display:grid;grid-template-columns:auto 1fr;grid-gap:0 .75rem}
.accept input{width:1.5rem;height:1.5rem;margin:0;accent-color:var(--accent)}
.accept .error{grid-column:2}
.note{margin:0 0 1rem;padding:.75rem .9rem;border-radius:.7rem;background:var(--notebg);color:var(--note)}
.bad.note{background:var(--badbg);color:var(--bad)}
.note a{color:inherit}
.note ul{margin:0;padding-left:1.1rem}
.qr{text-align:center}
.qr svg{display:block;width:100%}
.qr figcaption{display:grid;grid-auto-flow:column;grid-auto-columns:1fr;grid-column-gap:.6rem;max-width:15.5rem;margin:.6rem auto 0}
.qr figcaption *{padding-left:.25rem;padding-right:.25rem}
.qr div{max-width:15.5rem;margin:0 auto;padding:.25rem;background:#fff;border-radius:.8rem;border:1px solid var(--line)}
.copies{border:1px solid var(--line);border-radius:.8rem}
.copies div{display:grid;grid-template-columns:1fr auto;grid-column-gap:.75rem;align-items:center;padding:.6rem .9rem}
.copies div+div,.receipt div+div{border-top:1px solid var(--line)}
.copies dt{grid-column:1;color:var(--soft);font-size:.9rem}
.copies dd{grid-column:1;font-weight:700;font-size:1.05rem;line-height:1.3}
.copies dd+dd{grid-area:1/2/3/3}
.copies button{font-size:1rem;min-width:5.5rem;padding:.7rem}
.copies .key{grid-template-columns:1fr}
.key dd{font:700 1.15rem/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:nowrap;-webkit-user-select:all;user-select:all}
.key dd+dd{grid-area:auto;margin-top:.4rem}
.key button{font:600 1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
ol{padding-left:1.3rem}
.live:before{content:"";display:inline-block;width:.6rem;height:.6rem;margin-right:.5rem;border-radius:50%;background:var(--good);animation:glow 2s infinite}
.spinner{width:2.5rem;height:2.5rem;margin:.25rem 0 1rem;border:.25rem solid var(--line);border-top-color:var(--accent);border-radius:50%;animation:turn 1s linear infinite}
.mark{width:3rem;height:3rem;margin:.25rem 0 .9rem;padding:.65rem;border-radius:50%;background:var(--page);color:var(--soft)}
.mark svg{display:block;fill:none;stroke:currentColor;stroke-width:2.6;stroke-linecap:round;stroke-linejoin:round}
.good.mark{background:var(--goodbg);color:var(--good)}
.bad.mark{background:var(--badbg);color:var(--bad)}
.return{display:grid;grid-template-columns:1fr auto;grid-column-gap:.75rem;align-items:center;color:var(--soft)}
.return button{min-height:2.75rem;padding:.4rem .9rem}
.receipt{margin:1.25rem -1.1rem 0;padding:1.1rem;border-top:1px dashed var(--edge)}
.receipt dl div{display:grid;grid-template-columns:minmax(6.5rem,2fr) 3fr;grid-column-gap:.75rem;padding:.45rem 0}
.receipt dt{color:var(--soft)}
.receipt .across{grid-template-columns:1fr}
.contact a{display:inline-block;max-width:100%;margin-right:.9rem;padding:.25rem 0}
.heard{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);margin:0}
@keyframes turn{to{transform:rotate(1turn)}}
@keyframes glow{50%{opacity:.25}}
@media(prefers-reduced-motion:reduce){*{animation:none!important}}
@media(min-width:31rem){body{padding-top:1.5rem}.ribbon{border-radius:.7rem;margin:0}main{padding:1.75rem 1.75rem .75rem}.receipt{margin:1.5rem -1.75rem 0;padding:1.25rem 1.75rem}}
@media(min-width:50rem){.wide{max-width:54rem}.wide .breb{display:grid;grid-template-columns:19rem 1fr;grid-column-gap:2.5rem}.wide .ways{grid-area:1/2/3/3}.wide .status{grid-area:2/1/4/2}.wide .qr div,.wide .qr figcaption{max-width:none}}
@media print{button,.button,form,.return,.live,.spinner,footer,.soft{display:none!important}body{max-width:none}main{border:0}}
`.replaceAll(/\n/g, '')

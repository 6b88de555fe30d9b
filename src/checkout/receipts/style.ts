// The style of receipts, evidence and /verify: the colours of the payer's pages, and a sheet that prints on one page.

export const RECEIPT_STYLE = `
:root{color-scheme:light dark;--card:#fff;--page:#f3f5f4;--ink:#17211d;--soft:#52605a;--line:#dde3df;--edge:#76847d;--accent:#0b5c4a;--good:#0a6b45;--goodbg:#e3f4ec;--bad:#a1241b;--badbg:#fdeceb;--note:#5b4300;--notebg:#fdf3d7}
@media(prefers-color-scheme:dark){:root{--card:#18201d;--page:#101614;--ink:#e8eeeb;--soft:#a8b5af;--line:#303b36;--edge:#7d8b84;--accent:#7fd6bd;--good:#7fdcb0;--goodbg:#143527;--bad:#ffa198;--badbg:#3d1c19;--note:#f3d588;--notebg:#352b10}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:34rem;padding:0 .75rem 2rem;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--ink);background:var(--page);overflow-wrap:anywhere}
h1{font-size:1.3rem;line-height:1.25;margin:0 0 .75rem}
h2{font-size:1rem;margin:1.25rem 0 .25rem}
p{margin:0 0 1rem}
a{color:var(--accent)}
[hidden]{display:none!important}
.soft,footer{color:var(--soft);font-size:.9rem}
.ribbon{margin:0 -.75rem;padding:.5rem .75rem;background:var(--notebg);color:var(--note);text-align:center;font-size:.9rem;font-weight:600}
main{margin-top:1rem;background:var(--card);border:1px solid var(--line);border-radius:1rem;padding:1.25rem 1.1rem .5rem}
footer{padding:1rem .25rem 0;text-align:center}
footer p{margin:0 0 .25rem}
.amount{margin:0 0 .75rem;font-size:2rem;line-height:1.1;font-weight:700}
dl{margin:0 0 1rem}
dl div{display:grid;grid-template-columns:minmax(6.5rem,2fr) 3fr;grid-column-gap:.75rem;padding:.45rem 0}
dl div+div{border-top:1px solid var(--line)}
dt{color:var(--soft)}
dd{margin:0}
.qr{max-width:19rem;margin:0 auto 1rem;padding:.25rem;background:#fff;border-radius:.8rem;border:1px solid var(--line)}
.qr svg{display:block;width:100%}
.button,button{display:block;width:100%;min-height:3rem;margin:0 0 .75rem;padding:.7rem 1rem;border:1px solid var(--accent);border-radius:.7rem;background:var(--accent);color:var(--card);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.plain{background:none;color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.picture{position:relative}
.picture input{position:absolute;inset:0;width:100%;opacity:0;cursor:pointer}
.picture:focus-within{outline:3px solid var(--accent);outline-offset:2px}
label{font-weight:600}
textarea{width:100%;min-height:6rem;margin:.25rem 0 .75rem;padding:.6rem .8rem;border:1px solid var(--edge);border-radius:.7rem;background:var(--card);color:var(--ink);font:inherit}
video{display:block;width:100%;margin:0 0 .75rem;border-radius:.8rem;background:#000}
.note,.verdict{margin:0 0 1rem;padding:.75rem .9rem;border-radius:.7rem;background:var(--notebg);color:var(--note)}
.verdict h2{margin:0 0 .25rem;font-size:1.2rem}
.verdict p{margin:0 0 .5rem}
.verdict dt{color:inherit}
.genuine{background:var(--goodbg);color:var(--good)}
.altered,.unknown,.reversed{background:var(--badbg);color:var(--bad)}
@media print{button,.button,form,footer,.soft.screen{display:none!important}body{max-width:none;background:#fff}main{border:0;padding:0}}
`.replaceAll(/\n/g, '')

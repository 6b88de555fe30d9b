// The only stylesheet of the simulated pages, sent inside each of them. Black and yellow tape around the banner shows at a
// glance that this is not a bank. Everything else stays plain.

export const STYLE = `
:root{color-scheme:light dark;--card:#fff;--page:#eef0f5;--ink:#1a1d26;--soft:#545b6b;--line:#d9dde6;--edge:#747d8f;--accent:#28479e;--bad:#a1241b;--note:#4d3b00;--notebg:#fdf3d7}
@media(prefers-color-scheme:dark){:root{--card:#1a1e28;--page:#10131a;--ink:#e8ebf2;--soft:#aab2c2;--line:#343b4a;--edge:#8089a0;--accent:#a9bdff;--bad:#ffa198;--note:#f3d588;--notebg:#352b10}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--ink);background:var(--page);overflow-wrap:anywhere}
header{background:#ffd400;color:#000;text-align:center}
header:before,header:after{content:"";display:block;height:.75rem;background:repeating-linear-gradient(-45deg,#000 0 1rem,#ffd400 1rem 2rem)}
header p{margin:0;padding:.6rem .75rem;font-size:.95rem}
header b{display:block;font-size:1.2rem;line-height:1.25}
main{width:calc(100% - 1rem);max-width:30rem;margin:1rem auto 2rem;padding:1.25rem 1.1rem .5rem;background:var(--card);border:1px solid var(--line);border-radius:1rem}
h1{font-size:1.3rem;line-height:1.25;margin:0 0 .75rem}
h2{font-size:1rem;margin:1.5rem 0 .5rem}
p,dl,ol,form,fieldset{margin:0 0 1rem}
a{color:var(--accent)}
fieldset{border:0;padding:0;min-width:0}
legend{padding:0;margin:0 0 .5rem;font-weight:600}
dl div{display:grid;grid-template-columns:minmax(6rem,2fr) 3fr;grid-column-gap:.75rem;padding:.4rem 0;border-top:1px solid var(--line)}
dt,.soft{color:var(--soft)}
dd{margin:0;font-weight:600}
.soft{font-size:.9rem}
.note{padding:.75rem .9rem;border-radius:.7rem;background:var(--notebg);color:var(--note)}
.field{display:grid;margin:0 0 1rem}
label,.field b{font-weight:600}
input,select{width:100%;min-height:3rem;margin-top:.25rem;padding:.6rem .8rem;border:1px solid var(--edge);border-radius:.7rem;background:var(--card);color:var(--ink);font:inherit}
.choice{display:grid;grid-template-columns:auto 1fr;grid-column-gap:.75rem;align-items:center;min-height:3rem;margin:0 0 .5rem;padding:.5rem .9rem;border:1px solid var(--edge);border-radius:.7rem}
.choice input{width:1.25rem;min-height:0;height:1.25rem;margin:0;accent-color:var(--accent)}
.choice label{font-weight:400;padding:.25rem 0}
.button,button{display:block;width:100%;min-height:3rem;margin:0 0 .25rem;padding:.7rem 1rem;border:1px solid var(--accent);border-radius:.7rem;background:var(--accent);color:var(--card);font:inherit;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
.plain{background:none;color:var(--accent)}
button+.soft{margin:0 0 1rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[aria-invalid]{border:2px solid var(--bad)}
.error{color:var(--bad);font-size:.9rem;font-weight:600}
@media(min-width:31rem){main{padding:1.75rem 1.75rem .75rem}}
`.replaceAll('\n', '')

// The only stylesheet of the documentation, inlined into every page. Code has a dark background in both colour schemes,
// so that its colours are chosen once. Everything else uses the variables at the top.

export const STYLE = `
:root{color-scheme:light dark;--page:#fff;--panel:#f5f8f6;--ink:#17211d;--soft:#4f5d57;--line:#dfe6e2;--edge:#7b8982;--accent:#0b5c4a;--tint:#e4f2ec;--good:#0a6b45;--goodbg:#e3f4ec;--bad:#a1241b;--badbg:#fdeceb;--note:#5b4300;--notebg:#fdf3d7;--mark:#ffe9a8;--get:#0b4f8a;--post:#0a6b45;--patch:#7a4b00;--delete:#a1241b}
@media(prefers-color-scheme:dark){:root{--page:#101614;--panel:#171f1c;--ink:#e8eeeb;--soft:#a8b5af;--line:#2b3531;--edge:#7d8b84;--accent:#7fd6bd;--tint:#16302a;--good:#7fdcb0;--goodbg:#143527;--bad:#ffa198;--badbg:#3d1c19;--note:#f3d588;--notebg:#352b10;--mark:#5c4a10;--get:#8fc4f5;--post:#7fdcb0;--patch:#f0c36d;--delete:#ffa198}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:5rem}
body{margin:0;font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--ink);background:var(--page);overflow-wrap:break-word}
a{color:var(--accent);text-underline-offset:.15em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.2rem}
main:focus{outline:0}
code,pre,textarea{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.875em}
p,ul,ol{margin:0 0 1rem}
h1{font-size:2rem;line-height:1.2;letter-spacing:-.02em;margin:0 0 .6rem}
h2{font-size:1.4rem;line-height:1.25;letter-spacing:-.01em;margin:3rem 0 1rem;padding-top:1.75rem;border-top:1px solid var(--line)}
h3{font-size:1rem;margin:1.75rem 0 .6rem}
h4{font-size:1rem;margin:1.25rem 0 .5rem}
h2,h3,h4,p,li{overflow-wrap:anywhere}
td,th,td code,th code{overflow-wrap:normal}
.anchor{color:inherit;text-decoration:none}
.anchor:hover:after{content:" #";color:var(--soft)}
.unseen,.skip:not(:focus){position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:fixed;top:.5rem;left:.5rem;z-index:3;padding:.6rem 1rem;background:var(--page);border:2px solid var(--accent);border-radius:.5rem}
.soft{color:var(--soft)}
.lead{font-size:1.15rem;color:var(--soft);max-width:44rem}
.note{padding:.8rem 1rem;border-radius:.6rem;background:var(--notebg);color:var(--note);max-width:52rem}
.kicker{display:flex;flex-wrap:wrap;column-gap:1rem;margin:0 0 .5rem;font-size:.875rem;color:var(--soft)}
.kicker span{flex:1 1 auto}
.kicker a{padding:.1rem 0;min-height:1.5rem}
header{position:sticky;top:0;z-index:2;display:flex;flex-wrap:wrap;align-items:center;gap:.4rem 1rem;padding:.55rem 1rem;background:var(--page);border-bottom:1px solid var(--line)}
header p{margin:0}
.brand a{display:inline-block;padding:.25rem 0;font-weight:700;font-size:1.1rem;letter-spacing:-.01em;color:var(--ink);text-decoration:none}
.brand span{color:var(--accent);font-weight:600}
.where{font-size:.8rem;color:var(--soft);min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.where b{display:inline-block;padding:.1rem .5rem;border-radius:1rem;background:var(--notebg);color:var(--note);text-transform:uppercase;font-size:.7rem;letter-spacing:.05em}
.where .production{background:var(--badbg);color:var(--bad)}
.search{position:relative;display:flex;gap:.5rem;margin:0}
.language{margin-left:auto!important;font-size:.9rem}
.language a{display:inline-block;padding:.25rem 0}
.suggested{position:absolute;top:calc(100% + .3rem);right:0;z-index:4;width:min(30rem,calc(100vw - 2rem));max-height:70vh;overflow:auto;margin:0;padding:.3rem;list-style:none;background:var(--page);border:1px solid var(--edge);border-radius:.6rem;box-shadow:0 .5rem 1.5rem #0003}
.suggested:empty{display:none}
.suggested li{padding:.4rem .6rem;border-radius:.4rem;cursor:pointer}
.suggested li[aria-selected=true]{background:var(--tint)}
.suggested b{display:block;font-size:.925rem}
.suggested span{font-size:.8rem;color:var(--soft)}
input,select,textarea{font:inherit;font-size:.95rem;color:var(--ink);background:var(--page);border:1px solid var(--edge);border-radius:.5rem;padding:.4rem .7rem;min-width:0}
textarea{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.85rem;line-height:1.5}
button{font:inherit;font-size:.95rem;font-weight:600;color:var(--page);background:var(--accent);border:1px solid var(--accent);border-radius:.5rem;padding:.4rem .9rem;cursor:pointer}
button:disabled{opacity:.6}
header .search input{width:15rem}
header .search button{font-weight:500;color:var(--accent);background:none}
.search.large{flex-wrap:wrap;align-items:end;margin:1rem 0 1.5rem}
.search.large label{flex:1 0 100%;font-weight:600}
.search.large input{flex:1 1 12rem;max-width:30rem;min-height:2.75rem}
.search.large button{min-height:2.75rem}
.results{padding:0;list-style:none;max-width:52rem}
.results li{padding:.8rem 0;border-top:1px solid var(--line)}
.results p{margin:0}
.results a{font-weight:600;margin-right:.4rem}
.kind{font-size:.75rem;padding:.1rem .5rem;margin-right:.4rem;border-radius:1rem;background:var(--tint);color:var(--accent)}
mark{background:var(--mark);color:var(--ink);border-radius:.15rem}
.body{display:grid;grid-template-columns:minmax(0,1fr);max-width:96rem;margin:0 auto}
main{padding:1.5rem 1rem 2rem;min-width:0}
.side{display:none}
nav ul{list-style:none;margin:0 0 .9rem;padding:0}
nav .section{margin:.9rem 0 .25rem;font-size:.75rem;font-weight:700;letter-spacing:.06em;text-transform:uppercase;color:var(--soft)}
.menu[open]{flex:1 0 100%}
.menu>summary{display:inline-block;padding:.2rem .8rem;border:1px solid var(--edge);border-radius:.5rem;cursor:pointer;font-size:.9rem}
.menu nav{max-height:70vh;overflow:auto;padding:.25rem 0}
.menu nav a,.side a{display:block;padding:.3rem .7rem;border-radius:.45rem;color:var(--ink);text-decoration:none}
.side a{font-size:.925rem}
.side li li a{padding:.2rem .7rem;font-size:.85rem;color:var(--soft)}
.side ul ul{margin:.1rem 0 .5rem .7rem;border-left:1px solid var(--line)}
.menu nav a:hover,.side a:hover{background:var(--panel)}
nav [aria-current]{background:var(--tint);color:var(--accent);font-weight:600}
.guide{max-width:48rem}
.guide>p:first-of-type+h1+p{font-size:1.1rem;color:var(--soft)}
.guide img{max-width:100%}
article>p:not(.kicker),article>ul,article>ol{max-width:52rem}
p code,li code,td code,th code,h2 code,h3 code,summary code{padding:.1em .35em;border-radius:.3rem;background:var(--panel);border:1px solid var(--line)}
a code{color:inherit}
.scroll{overflow-x:auto;margin:0 0 1.25rem;border:1px solid var(--line);border-radius:.7rem}
table{border-collapse:collapse;width:100%;font-size:.925rem}
th,td{padding:.55rem .9rem;text-align:left;vertical-align:top;min-width:7.5rem}
th{background:var(--panel);font-weight:600}
tbody tr,thead+tbody tr{border-top:1px solid var(--line)}
.endpoint{padding:.5rem .8rem;border:1px solid var(--line);border-radius:.6rem;background:var(--panel)}
.endpoint code{padding:0;border:0;background:none;font-size:.9rem}
.method{font:700 .8rem ui-monospace,SFMono-Regular,Menlo,monospace;margin-right:.35rem}
.GET{color:var(--get)}.POST{color:var(--post)}.PATCH,.PUT{color:var(--patch)}.DELETE{color:var(--delete)}
.fields{list-style:none;padding:0;border-top:1px solid var(--line)}
.fields>li{padding:.75rem 0;border-bottom:1px solid var(--line)}
.fields p{margin:0 0 .2rem;font-size:.95rem}
.fields .name{font-size:.9rem}
.fields .name code{font-weight:700;padding:0;border:0;background:none}
.required{color:var(--bad);font-size:.8rem;font-weight:600}
.facts{color:var(--soft);font-size:.875rem!important}
.facts code{font-size:.8rem}
.fields :target,li:target{background:var(--tint)}
.fields details{margin:.5rem 0 0}
.fields details .fields{margin:.4rem 0 0;padding-left:.9rem;border-top:0;border-left:2px solid var(--line)}
.fields details .fields>li:last-child{border-bottom:0}
summary{cursor:pointer}
.fields summary,.more>summary{font-size:.875rem;color:var(--soft);padding:.2rem 0}
pre.code{margin:0 0 1rem;padding:.9rem 1rem;overflow:auto;max-height:34rem;line-height:1.55;font-size:.82rem;background:#10201b;color:#dfe9e4;border:1px solid #22392f;border-radius:.7rem;tab-size:2}
pre code{font-size:1em}
.copyable{position:relative;margin:0 0 1rem}
.copyable pre.code,.panel .copyable{margin:0}
.copyable button{position:absolute;top:.5rem;right:.5rem;padding:.2rem .6rem;font-size:.78rem;font-weight:500;color:#dfe9e4;background:#1d332c;border-color:#47645a}
pre.code:focus-visible{outline-offset:-3px;outline-color:#7fd6bd}
.code .s{color:#a8e0b0}.code .n{color:#f2c58b}.code .k{color:#9fc9ff}.code .c{color:#a3b3ac}.code .p{color:#8fdcd0}
figure{margin:0 0 1rem}
figcaption,.caption{margin:0 0 .35rem;font-size:.85rem;font-weight:600;color:var(--soft)}
.samples{position:relative;display:flex;flex-wrap:wrap;margin:0 0 1rem;background:#10201b;border-radius:.7rem}
.samples>input{position:absolute;opacity:0;width:1px;height:1px}
.samples>label{padding:.55rem .9rem;font-size:.85rem;color:#b9c8c1;cursor:pointer;border-bottom:2px solid transparent}
.samples>input:checked+label{color:#fff;border-bottom-color:#7fd6bd}
.samples>input:focus-visible+label{outline:3px solid #7fd6bd;outline-offset:-3px;border-radius:.4rem}
.panel{display:none;flex:0 0 100%;min-width:0;border-top:1px solid #2b413a}
.one .panel,.samples>input:nth-of-type(1):checked~.panel:nth-of-type(1),.samples>input:nth-of-type(2):checked~.panel:nth-of-type(2),.samples>input:nth-of-type(3):checked~.panel:nth-of-type(3){display:block}
.panel pre.code{margin:0;border:0;border-radius:0 0 .7rem .7rem}
.more{margin:0 0 1rem}
.more>summary{margin-bottom:.35rem}
.try{margin:0 0 1rem;border:1px solid var(--line);border-radius:.7rem;padding:.2rem .9rem}
.try>summary{padding:.4rem 0;font-weight:600;color:var(--accent)}
.try form{padding:.3rem 0 .6rem}.try button{max-width:100%;overflow-wrap:anywhere;text-align:left}
.field{display:grid;gap:.2rem;margin:0 0 .7rem}
.field label{font-size:.85rem;font-weight:600}
.outcome p{margin:.7rem 0 .3rem;font-size:.9rem}
.good{color:var(--good)}.bad{color:var(--bad)}
.lifecycle{display:block;margin:0 auto;max-width:100%;height:auto;font:600 12px system-ui,sans-serif}
.arrow{fill:none;stroke:var(--edge);stroke-width:1.5}
.tip{fill:var(--edge)}
.happening{fill:var(--soft);font-weight:500;font-size:11px;paint-order:stroke;stroke:var(--page);stroke-width:5px}
.state rect{fill:var(--panel);stroke:var(--edge);stroke-width:1.25}
.state text{fill:var(--ink)}
.state.good rect{fill:var(--goodbg);stroke:var(--good)}.state.good text{fill:var(--good)}
.state.bad rect{fill:var(--badbg);stroke:var(--bad)}.state.bad text{fill:var(--bad)}
.neighbours{display:flex;flex-wrap:wrap;gap:1rem;margin-top:3rem}
.neighbours a{flex:1 1 14rem;padding:.8rem 1rem;border:1px solid var(--line);border-radius:.7rem;text-decoration:none;font-weight:600}
.neighbours a>span:first-child{display:block;font-size:.8rem;font-weight:400;color:var(--soft)}
.neighbours [rel=next]{text-align:right}
footer{padding:1.5rem 1rem 2.5rem;border-top:1px solid var(--line);font-size:.875rem;color:var(--soft);text-align:center}
footer a{display:inline-block;padding:.2rem 0}
@media(max-width:40rem){header{position:static}.where{flex:1 1 12rem}.menu:not([open]){margin-left:auto}header .search{flex:1 0 100%;margin:0}header .search{min-width:0}header .search input{flex:1 1 4rem;width:4rem}html{scroll-padding-top:1rem}h1{font-size:1.7rem}}
@media(min-width:60rem){.menu{display:none}.body{grid-template-columns:17rem minmax(0,1fr)}.side{display:block;position:sticky;top:3.6rem;align-self:start;height:calc(100vh - 3.6rem);overflow:auto;padding:.75rem 1rem 2rem;border-right:1px solid var(--line)}main{padding:2rem 3rem 3rem}}
@media(min-width:75rem){.split{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 2.5rem}.shown{position:sticky;top:4.5rem;align-self:start;max-height:calc(100vh - 5.5rem);overflow:auto}.split h2{border:0;padding-top:0;margin-top:2rem}.split h2:first-child{margin-top:0}.split{margin-top:.5rem}}
@media print{header,.side,footer,.neighbours,.try,.skip,.copyable button{display:none!important}.body,.split{display:block}.panel{display:block!important}.samples>label{display:none}pre.code{max-height:none;white-space:pre-wrap;background:none;color:#000;border:1px solid #999}.code span{color:#000!important}.shown{max-height:none}}
`.replaceAll(/\n/g, '')

// The served documentation: the operations, the error catalogue that every problem's `type` points into, and openapi.json.
// Plain HTML, no script, readable on a phone.

import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Html, html, trusted } from '../core/html.ts'
import { FIELD_CODES, REFUSALS } from '../core/refusal.ts'
import type { Context } from '../flows/context.ts'
import { refusalCodes, STATUS_OF } from './errors.ts'
import { openApiDocument } from './openapi.ts'
import { documentedOf } from './operations.ts'

const STYLE = `:root{color-scheme:light dark;--ink:#1b2420;--soft:#55625c;--ground:#fff;--line:#d9e0dc;--link:#0b5c4a}
@media(prefers-color-scheme:dark){:root{--ink:#e9efec;--soft:#a9b6b0;--ground:#121816;--line:#33403a;--link:#7fd6bd}}
body{font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--ground);max-width:46rem;margin:0 auto;padding:1.5rem 1rem 4rem}
a{color:var(--link)}code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}h1{font-size:1.7rem}h2{font-size:1.15rem;margin:2rem 0 .3rem}
p{margin:.4rem 0}.soft{color:var(--soft)}section{border-top:1px solid var(--line);padding-top:.2rem}`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

export function routeDocs(app: FastifyInstance, ctx: Context): void {
  const openApi = JSON.stringify(openApiDocument(ctx.publicUrl, ctx.environment))
  app.get('/openapi.json', (_request, reply) => reply.type('application/json; charset=utf-8').send(openApi))
  app.get('/docs', (_request, reply) => sendPage(reply, overviewPage(ctx)))
  app.get('/docs/errors', (_request, reply) => sendPage(reply, errorsPage()))
}

function sendPage(reply: FastifyReply, page: Html): FastifyReply {
  return reply
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`,
    )
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>${page.html}`)
}

function layout(title: string, content: Html, language = 'en'): Html {
  return html`<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Recaudo</title><style>${trusted(STYLE)}</style></head><body><main>${content}</main></body></html>`
}

function overviewPage(ctx: Context): Html {
  return layout(
    'API',
    html`<h1>Recaudo API</h1>
<p>Base address <code>${ctx.publicUrl}</code>. Send your API key as <code>x-api-key</code>, or an access token of <code>POST /oauth/token</code> as <code>Authorization: Bearer</code>.</p>
<p><a href="/openapi.json">OpenAPI 3.1 description</a> · <a href="/docs/errors">Errors</a></p>
${documentedOf(ctx.environment).map(
  (operation) =>
    html`<section><h2><code>${operation.method} ${operation.path}</code></h2><p>${operation.summary}.</p><p class="soft">${operation.description}</p></section>`,
)}`,
  )
}

function errorsPage(): Html {
  return layout(
    'Errors',
    html`<h1>Errors</h1>
<p>Every error has the same body: <code>type, title, status, detail, code, requestId</code>, and <code>errors</code> where fields are wrong. Branch on <code>code</code>; it never changes.</p>
${refusalCodes().map((code) => html`<section id="${code}"><h2><code>${code}</code> <span class="soft">${STATUS_OF[code]}</span></h2><p>${REFUSALS[code]}</p></section>`)}
<h1>Codes of a field</h1>
${Object.entries(FIELD_CODES).map(([code, text]) => html`<section id="${code}"><h2><code>${code}</code></h2><p>${text}</p></section>`)}`,
  )
}

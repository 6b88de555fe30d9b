// The first page: what this is, its base address, and the five things that apply to every operation.

import { SCOPES } from '../../core/organizations/scope.ts'
import type { ApiDocument } from '../open-api.ts'
import { type Block, heading, json, list, type Page, table, text } from '../print/block.ts'
import { exampleRefusal } from './errors.ts'
import { operationAddress, pagePath, type Setting } from './resource.ts'

export function overviewPage({ api, baseUrl, environment }: Setting, guides: readonly Page[]): Page {
  const isStaging = environment === 'staging'
  return {
    path: '/docs',
    title: 'Recaudo API',
    summary: `${api.summary} One API for payins, payouts, payment links, and their events.`,
    section: 'Start',
    language: 'en',
    translation: { language: 'es', path: '/docs/es' },
    blocks: [
      text(
        isStaging
          ? 'This server is **staging**: networks, banks and payers are simulated, and no money moves. Keys begin with `rk_stg_`.'
          : 'This server is **production**: money moves. Keys begin with `rk_live_`.',
        'note',
      ),
      heading(2, 'Start here', 'begin'),
      list([
        ...guides.slice(0, 1).map(({ title, path, summary }) => `[${title}](${path}): ${summary}`),
        '[Guides](/docs/guides): from the first payin to operating your own installation.',
        '[Event types](/docs/event-types): every event and when it is sent.',
        '[Lifecycles](/docs/lifecycles): the states of payins, payouts and payment links, drawn.',
        'For programs: add `.md` to the address of a page to get Markdown. [llms.txt](/llms.txt) lists all pages, [llms-full.txt](/llms-full.txt) contains them.',
      ]),
      {
        kind: 'split',
        text: [
          heading(2, 'Base address', 'base-address'),
          text(`Every address on these pages starts with \`${baseUrl}\`. ${api.description}`),
          text(
            'Put your key into the environment, and the samples run as they are. The TypeScript samples use `@recaudo/sdk` and are plain JavaScript too: on Node 20, save one as `try.mjs`. The command line is `npx recaudo` in the server’s folder.',
          ),
          heading(2, 'Authentication', 'authentication'),
          text(
            'Send your API key in the header `x-api-key`. Keys are for servers: never put one into an app or a web page.',
          ),
          text(
            `Or get an access token by OAuth 2.0 client credentials ([\`POST /oauth/token\`](${pagePath('Authentication')}#createAccessToken)) and send it as \`Authorization: Bearer …\`. It is valid for an hour. The SDK gets and renews it for you.`,
          ),
          text(
            `A credential can be limited to scopes, and every operation names the scope it needs: ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}. Without it the request is refused with [\`INSUFFICIENT_SCOPE\`](/docs/errors#INSUFFICIENT_SCOPE).`,
          ),
        ],
        code: [firstCall(baseUrl, 'Try your key', 'or, with the command line')],
      },
      {
        kind: 'split',
        text: [
          heading(2, 'Idempotency', 'idempotency'),
          text(
            'Send `Idempotency-Key` with a POST: up to 255 characters that identify the request. If you send the same key and body again within 30 days, you get the first answer again, with `Idempotent-Replayed: true`, and nothing is done twice. The same key with another body is refused with [`IDEMPOTENCY_KEY_REUSED`](/docs/errors#IDEMPOTENCY_KEY_REUSED). The SDK and the CLI send one with every POST.',
          ),
          heading(2, 'Pagination', 'pagination'),
          text(
            'Lists are sorted newest first, with ten entries a page; `pageSize` can be up to 100. Send `pageInfo.nextCursor` as `cursor` to get the next page. A cursor keeps its place while new entries arrive, and it only works with the filters it was made with. Events are read forward: send the last `sequence` you have as `after`.',
          ),
        ],
        code: [json('A page', EXAMPLE_PAGE)],
      },
      {
        kind: 'split',
        text: [
          heading(2, 'Errors', 'errors'),
          text(
            'Every refusal has the same body. Branch on `code`, which is never renamed. `type` leads to its paragraph on [Errors](/docs/errors), `errors` lists every wrong field at once, and `requestId` finds the request in the service’s log. Retry 408, 429 and 5xx after `Retry-After` seconds, with the same `Idempotency-Key`.',
          ),
          heading(2, 'Versioning', 'versioning'),
          text(
            `This is version 1.0 of the API, and [openapi.json](/openapi.json) describes all of it. Within this version we only add operations, optional fields, events and codes. So ignore fields you do not know, and handle a code you do not know by its status. The server ignores unknown fields too.`,
          ),
        ],
        code: [json('A refusal', exampleRefusal(baseUrl))],
      },
      heading(2, 'Every operation', 'operations'),
      ...operationTables(api, 'Address'),
    ],
  }
}

export const EXAMPLE_PAGE = {
  data: [{ id: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90', '…': '…' }],
  pageInfo: { hasNext: true, hasPrevious: false, nextCursor: 'AAGaXD8aK30…', previousCursor: null },
}

export function operationTables(api: ApiDocument, address: string): Block[] {
  return api.tags.map(({ name }) =>
    table(
      `Operations: ${name}`,
      [`[${name}](${pagePath(name)})`, address],
      api.operations
        .filter(({ tag }) => tag === name)
        .map((operation) => [
          `[${operation.summary}](${operationAddress(operation)})`,
          `\`${operation.method} ${operation.path}\``,
        ]),
    ),
  )
}

export function firstCall(baseUrl: string, caption: string, comment: string): Block {
  return {
    kind: 'code',
    caption,
    language: 'sh',
    text: `export RECAUDO_API_KEY=rk_…
export RECAUDO_BASE_URL=${baseUrl}

curl ${baseUrl}/balance \\
  -H "x-api-key: $RECAUDO_API_KEY"

# ${comment}
recaudo balance`,
  }
}

// The first page: what this is, its base address, and the five things that apply to every operation.

import { SCOPES } from '../../core/organizations/scope.ts'
import { type Block, heading, json, list, type Page, table, text } from '../print/block.ts'
import { operationAddress, pagePath, type Setting } from './resource.ts'

export function overviewPage({ api, baseUrl, environment }: Setting, guides: readonly Page[]): Page {
  const isStaging = environment === 'staging'
  return {
    path: '/docs',
    title: 'Recaudo API',
    summary: `${api.summary} One API for payins, payouts, payment links and the events that tell of them.`,
    section: 'Start',
    language: 'en',
    blocks: [
      text(
        isStaging
          ? 'This server is **staging**: networks, banks and payers are simulated, and no money moves. Keys begin with `rk_stg_`.'
          : 'This server is **production**: money moves. Keys begin with `rk_live_`.',
        'note',
      ),
      heading(2, 'Begin here', 'begin'),
      list([
        ...guides.slice(0, 1).map(({ title, path, summary }) => `[${title}](${path}): ${summary}`),
        '[Guides](/docs/guides): from the first payin to operating your own installation.',
        '[Event types](/docs/event-types): what you are told, and when.',
        '[Lifecycles](/docs/lifecycles): the states of payins, payouts and payment links, drawn.',
        'For programs: every page is Markdown at its address with `.md`, [llms.txt](/llms.txt) lists them, [llms-full.txt](/llms-full.txt) holds them all.',
      ]),
      {
        kind: 'split',
        text: [
          heading(2, 'Base address', 'base-address'),
          text(`Every address on these pages begins with \`${baseUrl}\`. ${api.description}`),
          text(
            'The samples run as they are once the key is in the environment. TypeScript is [@recaudo/sdk](/docs/guides), the command line is `recaudo`, which every installation brings along.',
          ),
          heading(2, 'Authentication', 'authentication'),
          text(
            'Send your API key in the header `x-api-key`. Keys are for servers: never put one into an app or a page.',
          ),
          text(
            `Or get an access token by OAuth 2.0 client credentials ([\`POST /oauth/token\`](${pagePath('Authentication')}#createAccessToken)) and send it as \`Authorization: Bearer …\`. It is good for an hour; the SDK gets and renews it by itself.`,
          ),
          text(
            `A credential may be limited to scopes, and every operation names the one it needs: ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}. One that lacks it is refused with [\`INSUFFICIENT_SCOPE\`](/docs/errors#INSUFFICIENT_SCOPE).`,
          ),
        ],
        code: [firstCall(baseUrl)],
      },
      {
        kind: 'split',
        text: [
          heading(2, 'Idempotency', 'idempotency'),
          text(
            'Send `Idempotency-Key` with a POST, up to 255 characters that name the request. The same key and body within 30 days get the first answer again, with `Idempotent-Replayed: true`, and nothing is done twice. The same key with another body is refused with [`IDEMPOTENCY_KEY_REUSED`](/docs/errors#IDEMPOTENCY_KEY_REUSED). The SDK and the CLI send one with every POST.',
          ),
          heading(2, 'Pagination', 'pagination'),
          text(
            'Lists come newest first, ten entries a page unless `pageSize` says otherwise (at most 100). `pageInfo.nextCursor` is the `cursor` of the page after; it holds its place while new entries arrive, and it belongs to the filters it was made with. Events are read forward instead: send the last `sequence` you have as `after`.',
          ),
        ],
        code: [
          json('A page', {
            data: [{ id: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90', '…': '…' }],
            pageInfo: {
              hasNext: true,
              hasPrevious: false,
              nextCursor: 'AAGaXD8aK30…',
              previousCursor: null,
            },
          }),
        ],
      },
      {
        kind: 'split',
        text: [
          heading(2, 'Errors', 'errors'),
          text(
            'Every refusal has the same body. Branch on `code`, which is never renamed; `type` leads to its paragraph on [Errors](/docs/errors), `errors` lists every wrong field at once, and `requestId` finds the request in the service’s log. 408, 429 and 5xx are worth another try, with the same `Idempotency-Key`, after `Retry-After` seconds.',
          ),
          heading(2, 'Versioning', 'versioning'),
          text(
            `This is version 1.0 of the API; [openapi.json](/openapi.json) describes it whole. Within it we only add: operations, optional fields, events, codes. So ignore fields you do not know, and treat a code you do not know by its status. The server, too, ignores fields it does not know.`,
          ),
        ],
        code: [
          json('A refusal', {
            type: `${baseUrl}/docs/errors#INVALID_INPUT`,
            title: 'Bad request',
            status: 400,
            detail: '/amountInCents: must be at least 1',
            code: 'INVALID_INPUT',
            requestId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
            errors: [{ path: '/amountInCents', code: 'OUT_OF_RANGE', message: 'must be at least 1' }],
          }),
        ],
      },
      heading(2, 'Every operation', 'operations'),
      ...api.tags.map(
        ({ name }): Block =>
          table(
            `Operations: ${name}`,
            [`[${name}](${pagePath(name)})`, 'Address'],
            api.operations
              .filter(({ tag }) => tag === name)
              .map((operation) => [
                `[${operation.summary}](${operationAddress(operation)})`,
                `\`${operation.method} ${operation.path}\``,
              ]),
          ),
      ),
    ],
  }
}

function firstCall(baseUrl: string): Block {
  return {
    kind: 'code',
    caption: 'Try your key',
    language: 'sh',
    text: `export RECAUDO_API_KEY=rk_…
export RECAUDO_BASE_URL=${baseUrl}

curl ${baseUrl}/balance \\
  -H "x-api-key: $RECAUDO_API_KEY"

# or, with the command line
recaudo balance`,
  }
}

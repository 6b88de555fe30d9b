// The error catalogue. The anchors are the codes, and the `type` of every error body points to one of them.

import { refusalCodes, STATUS_OF } from '../../api/http/errors.ts'
import { remedyOf } from '../../api/openapi/errors-markdown.ts'
import { FIELD_CODES, REFUSALS } from '../../core/refusal.ts'
import { type Block, heading, json, list, type Page, text } from '../print/block.ts'
import { operationAddress, type Setting } from './resource.ts'

// For a code that more operations than this can return, the page does not list them.
const MANY_OPERATIONS = 12

export function errorsPage({ api, baseUrl }: Setting): Page {
  return {
    path: '/docs/errors',
    title: 'Errors',
    summary: 'Every way the API says no, what it means, and what to do about it.',
    section: 'API reference',
    language: 'en',
    blocks: [
      {
        kind: 'split',
        text: [
          text('Every refusal has the same body, whatever refused it:'),
          list([
            'Branch on `code`. It is never renamed; `title`, `detail` and `message` are for people and may change.',
            '`type` is the address of the code’s paragraph on this page.',
            '`requestId` is also in the header `x-request-id`, and names the request in the service’s log.',
            '`errors` lists every wrong field at once. `path` is a JSON pointer into the body, or the name of a query parameter after a slash. `code` is one of the [codes of a field](#field-codes), or a code of this page where a rule about a field has a name of its own.',
            'Where waiting helps, the header `Retry-After` says how many seconds.',
            '`POST /oauth/token` adds the members `error` and `error_description` of RFC 6749.',
          ]),
          text(
            'A request that was refused has changed nothing, with two exceptions: after `INTERNAL_ERROR` and `STORE_UNAVAILABLE`, as when no answer came at all, it may have taken effect. Send it again with the same `Idempotency-Key` to find out.',
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
      heading(2, 'Codes', 'codes'),
      ...refusalCodes().flatMap((code): Block[] => {
        const operations = api.operations.filter(({ refusals }) =>
          refusals.some(({ codes }) => codes.includes(code)),
        )
        const links = operations.map((operation) => `[${operation.summary}](${operationAddress(operation)})`)
        return [
          heading(3, `\`${code}\` ${STATUS_OF[code]}`, code),
          text(`${REFUSALS[code]} ${remedyOf(code)}`),
          ...(links.length === 0 || links.length > MANY_OPERATIONS
            ? []
            : [text(`From: ${links.join(', ')}.`)]),
        ]
      }),
      heading(2, 'Codes of a field', 'field-codes'),
      text('What `errors[].code` says of one field.'),
      ...Object.entries(FIELD_CODES).flatMap(([code, meaning]): Block[] => [
        heading(3, `\`${code}\``, code),
        text(meaning),
      ]),
    ],
  }
}

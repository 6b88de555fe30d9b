// A call of the API as a line for the terminal. The key comes from the environment, so that the line can be kept and shared.

import type { Operation } from '../api/http/operation.ts'
import { quoted } from '../core/shell-text.ts'
import { pathOf } from './form.ts'
import type { FormCall } from './form-state.ts'

export function curlOf(operation: Operation, call: FormCall, publicUrl: string): string {
  const { body } = call
  const isPlainPost = operation.method === 'POST' && body !== undefined
  const method = operation.method === 'GET' || isPlainPost ? '' : `-X ${operation.method} `
  return [
    `curl ${method}${quoted(`${publicUrl}${pathOf(operation, call)}`)}`,
    '-H "x-api-key: $RECAUDO_API_KEY"',
    ...(body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ')
}

// The same report for the terminal.

import type { Operation } from '../../api/http/operation.ts'
import { type Html, html } from '../../core/html.ts'
import { curlOf } from '../curl.ts'
import { curlBlock } from '../curl-block.ts'
import type { FormCall } from '../form-state.ts'
import type { Visit } from '../visit.ts'

export function callBlock(visit: Visit, operation: Operation, call: FormCall): Html {
  const curl = curlOf(operation, call, visit.options.publicUrl)
  return html`<details class="curl"><summary>${visit.words.form.asCurl}</summary>${curlBlock(visit, curl)}</details>`
}

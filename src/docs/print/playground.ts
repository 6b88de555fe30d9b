// "Try it": a form that sends a real request to this server, in staging only. Without script there is no form, only the
// samples. The API key stays in the page's memory and is never stored or put into an address.

import { type Html, html } from '../../core/html.ts'
import type { ApiOperation, Parameter } from '../open-api.ts'

export function tryForm(operation: ApiOperation, base: string): Html {
  const { operationId, method, path, parameters, body, isPublic } = operation
  const [example] = body?.examples ?? []
  const inputs = parameters.filter((parameter) => parameter.in !== 'header')
  return html`<details class="try"><summary>Try it</summary>
<p class="unscripted">Needs JavaScript. The curl above sends the same request.</p>
<form hidden data-method="${method}" data-path="${base}${path}" autocomplete="off">
${!isPublic && field(`${operationId}-key`, 'API key (kept in this page only)', html`<input id="${operationId}-key" name="key" type="password" data-key autocomplete="off" spellcheck="false" placeholder="rk_stg_…" required>`)}
${inputs.map((parameter) => parameterField(operationId, parameter))}
${body && field(`${operationId}-body`, 'Body', html`<textarea id="${operationId}-body" name="body" rows="8" spellcheck="false">${JSON.stringify(example?.value ?? {}, null, 2)}</textarea>`)}
<button type="submit">Send ${method} ${path}</button>
<div role="status" class="outcome"></div>
</form></details>`
}

function field(id: string, label: string, input: Html): Html {
  return html`<div class="field"><label for="${id}">${label}</label>${input}</div>`
}

function parameterField(operationId: string, parameter: Parameter): Html {
  const { name, schema } = parameter
  const id = `${operationId}-try-${name}`
  if (schema.enum === undefined)
    return field(
      id,
      `${name}${parameter.in === 'query' ? ' (optional)' : ''}`,
      html`<input id="${id}" data-in="${parameter.in}" name="${name}" spellcheck="false"${parameter.in === 'path' && html` required placeholder="${String(parameter.example ?? '')}"`}>`,
    )
  return field(
    id,
    `${name} (optional)`,
    html`<select id="${id}" data-in="${parameter.in}" name="${name}"><option value="">any</option>${schema.enum.map((value) => html`<option>${String(value)}</option>`)}</select>`,
  )
}

export const PLAYGROUND = `// Sends what the forms of the documentation hold, and shows what comes back.
const forms = [...document.querySelectorAll('.try form')]
const keys = forms.flatMap((form) => [...form.querySelectorAll('[data-key]')])
for (const form of forms) {
  form.hidden = false
  form.parentElement.querySelector('.unscripted').remove()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void send(form)
  })
}
for (const key of keys)
  key.addEventListener('input', () => {
    for (const other of keys) if (other !== key) other.value = key.value
  })

const HEADERS = ['x-request-id', 'retry-after', 'ratelimit', 'idempotent-replayed', 'content-type']
const TIMEOUT_MS = 30000
const MAX_SHOWN = 20000

async function send(form) {
  const outcome = form.querySelector('.outcome')
  const button = form.querySelector('button')
  const { method } = form.dataset
  const named = (kind) => [...form.querySelectorAll('[data-in=' + kind + ']')]
  let address = form.dataset.path
  for (const input of named('path'))
    address = address.replace('{' + input.name + '}', encodeURIComponent(input.value.trim()))
  const query = new URLSearchParams(
    named('query').filter((input) => input.value.trim() !== '').map((input) => [input.name, input.value.trim()]),
  ).toString()
  if (query !== '') address += '?' + query
  const headers = {}
  const key = form.querySelector('[data-key]')
  if (key !== null) headers['x-api-key'] = key.value.trim()
  const body = form.querySelector('textarea')
  if (body !== null) {
    headers['content-type'] = 'application/json'
    renewReference(body)
  }
  button.disabled = true
  outcome.textContent = 'Sending…'
  const begun = performance.now()
  try {
    const response = await fetch(address, {
      method,
      headers,
      body: body === null ? undefined : body.value,
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream')
    const text = isStream ? await firstPart(response) : await response.text()
    show(outcome, response, Math.round(performance.now() - begun), pretty(text))
  } catch (error) {
    outcome.textContent = 'No answer: ' + error.message
  } finally {
    button.disabled = false
  }
}

// A reference is used once, and a guide may have used the example's. So until the reader changes the body, each request
// gets a reference of its own.
const ours = new WeakMap()
function renewReference(body) {
  if (body.value !== (ours.get(body) ?? body.defaultValue)) return
  const suffix = '-' + crypto.getRandomValues(new Uint32Array(1))[0].toString(36)
  body.value = body.defaultValue.replace(/("reference": ")([^"]+)"/, (_, name, value) => name + value + suffix + '"')
  ours.set(body, body.value)
}

// A stream does not end by itself: what comes first is enough to see.
async function firstPart(response) {
  const reader = response.body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder().decode(value)
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function show(outcome, response, ms, text) {
  const line = document.createElement('p')
  const status = document.createElement('b')
  status.textContent = response.status + ' ' + response.statusText
  status.className = response.ok ? 'good' : 'bad'
  line.append(status, ' in ' + ms + ' ms')
  const headers = document.createElement('p')
  headers.className = 'facts'
  headers.textContent = HEADERS.filter((name) => response.headers.has(name))
    .map((name) => name + ': ' + response.headers.get(name))
    .join(' · ')
  const body = document.createElement('pre')
  body.className = 'code'
  body.tabIndex = 0
  body.textContent = text.length > MAX_SHOWN ? text.slice(0, MAX_SHOWN) + '…' : text
  outcome.replaceChildren(line, headers, body)
}
`

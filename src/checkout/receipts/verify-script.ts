// The script of /verify, and the worker that keeps the page for when there is no network. The check itself is the function that
// the server runs, sent as text: its types were taken out when Node loaded it. A browser that knows no Ed25519 asks the server.

import { checkStatement } from '../../core/receipts/check.ts'
import { factRows, genuineVerdict } from './fact-rows.ts'

const CHECK = `
const { root, keys, locale, labels, names, text } = JSON.parse(document.getElementById('data').textContent)
const find = (id) => document.getElementById(id)
const result = find('result')
const element = (name, content, kind) => {
  const made = document.createElement(name)
  if (content !== undefined) made.textContent = content
  if (kind !== undefined) made.className = kind
  return made
}
const format = {
  amount: (cents) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'COP', minimumFractionDigits: cents % 100 ? 2 : 0 }).format(cents / 100),
  date: (iso) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'America/Bogota' }).format(new Date(iso)),
}
const note = (words) => result.replaceChildren(element('p', words, 'note'))
const show = (checked, since) => {
  const { verdict, facts } = checked
  const reversed = since && since.chargebackAt
  const status = facts && ((since && since.statusNow) || facts.status)
  const { tone, title } = reversed ? { tone: 'reversed', title: since.chargebackAmountInCents < facts.amountInCents ? 'reversedPart' : 'reversed' }
    : verdict == 'genuine' ? genuineVerdict(facts.kind, status) : { tone: verdict, title: verdict }
  const box = element('div', undefined, 'verdict ' + tone)
  box.append(element('h2', text[title]))
  if (verdict != 'genuine') box.append(element('p', text[verdict + 'Text']))
  else if (reversed) {
    const amount = format.amount(since.chargebackAmountInCents)
    // A date may end in "p. m.".
    box.append(element('p', text.reversedText.replace('#amount', amount).replace('#date', format.date(since.chargebackAt)).replace('..', '.')))
  } else {
    const online = status ? text.onlinePayout.replace('#status', names[status] || status) : text.online
    box.append(element('p', text.genuineText + ' ' + (since ? online : text.offline)))
  }
  if (facts) {
    const list = element('dl')
    for (const [name, value] of factRows(facts, labels, names, format)) {
      const row = element('div')
      row.append(element('dt', name), element('dd', value))
      list.append(row)
    }
    box.append(list)
  }
  result.replaceChildren(box)
}
const ask = async (statement) => {
  const answer = await fetch(root + '/verify', {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ statement }),
  })
  return answer.ok ? answer.json() : undefined
}
const check = async (statement) => {
  note(text.checking)
  // The address of a receipt holds no signature: only our books know what is there.
  const isAddress = /\\/(receipts|evidence)\\/[\\w-]{43}/.test(statement) && !statement.includes('recaudo1.')
  const here = isAddress ? undefined : await checkStatement(statement, keys).catch(() => undefined)
  if (here) show(here)
  const online = await ask(statement).catch(() => undefined)
  if (online) show(online, online.since)
  else if (!here) note(isAddress ? text.addressOffline : text.cannot)
}
const field = find('statement')
field.form.onsubmit = () => {
  if (field.value.trim()) check(field.value)
  else note(text.empty)
  return false
}
const read = (statement) => {
  field.value = statement
  return check(statement)
}
`

// The browser's own reader where it has one. Ours is loaded only when it is needed.
const READ = `
const native = async () => {
  const formats = window.BarcodeDetector ? await BarcodeDetector.getSupportedFormats().catch(() => []) : []
  return formats.includes('qr_code')
}
let reading
const reader = () => reading ||= (async () => {
  if (await native()) {
    const detector = new BarcodeDetector({ formats: ['qr_code'] })
    return async (source) => {
      const [code] = await detector.detect(source)
      return code && code.rawValue
    }
  }
  const { decodeQR } = await import(root + '/verify/reader/decode.js')
  const canvas = element('canvas')
  return async (source) => {
    const width = source.videoWidth || source.width
    const height = source.videoHeight || source.height
    const scale = Math.min(1, 1280 / Math.max(width, height))
    canvas.width = Math.round(width * scale)
    canvas.height = Math.round(height * scale)
    const context = canvas.getContext('2d', { willReadFrequently: true })
    context.drawImage(source, 0, 0, canvas.width, canvas.height)
    try {
      return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height))
    } catch (e) {
      return undefined
    }
  }
})().catch((error) => { reading = undefined; throw error })
// An SVG, such as the picture of a receipt without a script, is no bitmap yet.
const pictureOf = async (file) => {
  if (file.type != 'image/svg+xml') return createImageBitmap(file)
  const image = new Image()
  image.src = 'data:image/svg+xml,' + encodeURIComponent(await file.text())
  await image.decode()
  return image
}
find('ways').hidden = false
find('picture').onchange = async ({ target }) => {
  const [file] = target.files
  target.value = ''
  if (!file) return
  note(text.checking)
  const found = await reader().then(async (detect) => detect(await pictureOf(file))).catch(() => undefined)
  if (found) await read(found)
  else note(text.noQr)
}
const camera = find('camera')
const video = find('video')
let stream
const stop = () => {
  if (stream) stream.getTracks().forEach((track) => track.stop())
  stream = undefined
  video.hidden = true
  video.srcObject = null
  camera.textContent = text.camera
}
camera.onclick = async () => {
  if (stream) return stop()
  try {
    stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment', width: { ideal: 1280 } } })
    const detect = await reader()
    camera.textContent = text.stop
    video.hidden = false
    video.srcObject = stream
    await video.play()
    result.replaceChildren()
    while (stream) {
      const found = video.videoWidth && await detect(video)
      if (found && stream) {
        stop()
        return read(found)
      }
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
  } catch (e) {
    stop()
    note(text.cameraRefused)
  }
}
addEventListener('pagehide', stop)
const fromAddress = () => { if (location.hash.length > 1) read(location.hash.slice(1)) }
addEventListener('hashchange', fromAddress)
fromAddress()
if (navigator.serviceWorker) native().then((has) =>
  navigator.serviceWorker.register(root + '/verify/worker.js' + (has ? '' : '?reader'), { scope: root + '/verify' })).catch(() => 0)
`

export const VERIFY_SCRIPT = [checkStatement, factRows, genuineVerdict].map(String).join('\n') + CHECK + READ

// Asks the network first, so that keys and words are new where they can be.
export const VERIFY_WORKER = `
const here = new URL('.', location.href)
const page = here.pathname.slice(0, -1)
const files = [page, ...(location.search ? [page + '/reader/decode.js', page + '/reader/index.js'] : [])]
const kept = caches.open('verify')
addEventListener('install', (event) =>
  event.waitUntil(kept.then((cache) => cache.addAll(files)).then(() => skipWaiting())))
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
const answer = async (request) => {
  const cache = await kept
  try {
    const fresh = await fetch(request)
    if (fresh.ok) await cache.put(request.url.split(/[?#]/)[0], fresh.clone())
    return fresh
  } catch (error) {
    const found = await cache.match(request.url.split(/[?#]/)[0], { ignoreVary: true })
    if (found) return found
    throw error
  }
}
addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url)
  const isOurs = origin == location.origin && (pathname == page || pathname.startsWith(page + '/reader/'))
  if (event.request.method == 'GET' && isOurs) event.respondWith(answer(event.request))
})
`

// Shows the page anew when what it shows has changed. The server only says that it has; the page is asked for again and laid over
// the one that is open, part by part: what is equal stays, so focus, scroll, selection, unfolded parts and typed text do too.
//
// New rows join their list while nobody is at it. While a pointer, the focus or a selection is in the list, or it is scrolled
// past, they wait behind a quiet "3 new": a row must not slip away under the finger that is about to press it, and whoever only
// watches need not press anything.

const { body } = document
const main = /** @type {HTMLElement} */ (document.querySelector('main'))
const news = /** @type {HTMLElement | null} */ (document.querySelector('#news'))
const SOONEST_MS = 400
const LONGEST_WAIT_MS = 60_000

/** @type {EventSource | undefined} */
let source
/** @type {number | undefined} */
let connecting
let waitMs = 1_000
/** @type {number | undefined} */
let asking
let askedAtMs = -SOONEST_MS
let isAsking = false
let isStale = false
/** @type {Document | undefined} */
let latest
let held = 0
let isForced = false

function ask() {
  clearTimeout(asking)
  isStale = true
  if (isAsking || document.hidden) return
  const restMs = askedAtMs + SOONEST_MS - performance.now()
  if (restMs > 0) {
    asking = setTimeout(ask, restMs)
    return
  }
  isAsking = true
  isStale = false
  askedAtMs = performance.now()
  // It reads the answer as a document, so that no text ever becomes markup here.
  const request = new XMLHttpRequest()
  const [address] = location.href.split('#')
  request.open('GET', location.href)
  request.responseType = 'document'
  request.timeout = 10_000
  request.setRequestHeader('x-live', '1')
  request.addEventListener('loadend', () => {
    const { status, response, responseURL } = request
    isAsking = false
    if (status === 0 || status === 429 || status > 499) {
      asking = setTimeout(ask, 5_000)
      return
    }
    // Signed out, or it may no longer be seen.
    if (status !== 200 || responseURL !== address) return location.reload()
    latest = response
    show()
    if (isStale) ask()
  })
  request.send()
}

function show() {
  const next = latest?.querySelector('main')
  if (!latest || !next) return
  held = 0
  merge(main, next)
  const { watches } = body.dataset
  Object.assign(body.dataset, latest.body.dataset)
  if (watches !== body.dataset.watches) connect()
  showLater()
  if (!news) return
  const { one = '', many = '' } = news.dataset
  const text = held === 1 ? one : many.replace('#', String(held))
  if (held && news.textContent !== text) news.textContent = text
  news.hidden = !held
}

// What is read seldom is older than what happened, and is asked for again when it is not.
function showLater() {
  const { freshIn } = body.dataset
  if (Number(freshIn) > 0) asking = setTimeout(ask, Number(freshIn) + 50)
}

/** @param {Element} list */
const isInHand = (list) =>
  !isForced && (list.matches(':hover') || isInUse(list) || list.getBoundingClientRect().top < 0)

/** @param {Node} part */
const isInUse = (part) => {
  const chosen = getSelection()
  return (
    part.contains(document.activeElement) ||
    (chosen && !chosen.isCollapsed && part.contains(chosen.anchorNode)) ||
    (part instanceof Element && part.querySelector('.drop[open], dialog[open]') !== null)
  )
}

/** @param {Node} one @param {Node} other */
const isAlike = (one, other) =>
  one.nodeName === other.nodeName &&
  (!(one instanceof Element) ||
    !(other instanceof Element) ||
    (one.id === other.id && one.getAttribute('action') === other.getAttribute('action')))

/** @param {Element} part */
const waysOf = (part) =>
  part.textContent + [...part.querySelectorAll('form')].map((form) => form.getAttribute('action')).join()

/** @param {Node} old @param {Node} next */
function change(old, next) {
  if (old.isEqualNode(next)) return
  if (!(old instanceof Element) || !(next instanceof Element)) {
    old.nodeValue = next.nodeValue
    return
  }
  // Forms stay as they were opened, with whatever is typed.
  if (old.matches('form, [role=status]')) return
  if (old.matches('[data-whole]')) {
    if (waysOf(old) !== waysOf(next) && !isInUse(old))
      old.replaceChildren(...[...next.childNodes].map((child) => document.importNode(child, true)))
    return
  }
  for (const { name } of [...old.attributes])
    if (name !== 'open' && !next.hasAttribute(name)) old.removeAttribute(name)
  for (const { name, value } of next.attributes)
    if (name !== 'open' && old.getAttribute(name) !== value) old.setAttribute(name, value)
  merge(old, next)
}

/** @param {Element} old @param {Element} next */
function merge(old, next) {
  const grows = old instanceof HTMLElement && 'grows' in old.dataset
  const isHeld = grows && isInHand(old)
  const wanted = new Set([...next.children].map(({ id }) => id))
  if (!isHeld)
    for (const child of [...old.children])
      if (child.id && !wanted.has(child.id) && !isInUse(child)) child.remove()
  let at = old.firstChild
  for (const child of next.childNodes) {
    const id = child instanceof Element ? child.id : ''
    const found = id ? document.getElementById(id) : null
    const own = found?.parentNode === old ? found : !id && at && isAlike(at, child) ? at : null
    if (own) {
      if (own === at) at = at.nextSibling
      else old.insertBefore(own, at)
      change(own, child)
    } else if (isHeld && id) held += 1
    else {
      const added = document.importNode(child, true)
      if (grows && added instanceof Element) added.classList.add('new')
      old.insertBefore(added, at)
    }
  }
  while (at) {
    const gone = at
    at = at.nextSibling
    if (!isHeld && !isInUse(gone)) gone.remove()
  }
}

function disconnect() {
  clearTimeout(connecting)
  source?.close()
  source = undefined
}

function connect() {
  disconnect()
  const { live, watches = '', at = '' } = body.dataset
  if (!live || document.hidden) return
  source = new EventSource(`${live}?${new URLSearchParams({ since: at, watch: watches })}`)
  source.addEventListener('open', () => {
    waitMs = 1_000
  })
  source.addEventListener('message', ask)
  source.addEventListener('over', ask)
  source.addEventListener('error', () => {
    // Refused: the person is signed out, or too many listen. Then the page asks by itself, ever more seldom.
    if (source?.readyState === EventSource.CLOSED) ask()
    disconnect()
    connecting = setTimeout(connect, waitMs * (0.5 + Math.random()))
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  })
}

if (body.dataset.live) {
  connect()
  showLater()
  document.addEventListener('visibilitychange', connect)
  addEventListener('pagehide', disconnect)
  // What waits joins once nobody is at the list any more.
  setInterval(() => held && show(), 1_000)
  news?.addEventListener('click', () => {
    isForced = true
    show()
    isForced = false
    scrollTo({ top: 0 })
    main.focus({ preventScroll: true })
  })
}

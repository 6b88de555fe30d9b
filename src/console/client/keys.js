// Keys: to find, to filter, to go, through the rows. Single keys only where the person wants them, and never while they type.

const FOLLOWS_WITHIN_MS = 1_500
const ROWS = 'main :is(.p-main, .endpoint h2, .alarm, .last-events li, .attempt-list li, [data-row]) a'
const { keys, search } = document.body.dataset
const places = new Map(
  (keys ?? '').split(' ').map((place) => /** @type {[string, string]} */ (place.split('='))),
)
let wentAtMs = -FOLLOWS_WITHIN_MS

/** @param {string} selector @returns {HTMLElement | undefined} */
const shown = (selector) =>
  /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)]).find((one) => one.checkVisibility())

function find() {
  const field = shown('#find')
  if (field instanceof HTMLInputElement) {
    field.focus()
    field.select()
  } else if (search) location.assign(search)
}

/** @param {1 | -1} step */
function move(step) {
  const rows = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(ROWS)])
  const here = rows.indexOf(/** @type {HTMLElement} */ (document.activeElement))
  const next = rows[here < 0 ? (step > 0 ? 0 : rows.length - 1) : here + step]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

const openKeys = () => {
  const list = /** @type {HTMLDialogElement | null} */ (document.querySelector('#keys'))
  // Where it was opened from gets the focus back. A menu closes by itself, and its button is what is left of it.
  if (list && !list.open) list.showModal()
}

/** @type {Record<string, () => void>} */
const single = {
  '/': () => (shown('[data-filter]') ?? shown('#find'))?.focus(),
  '?': openKeys,
  c: () => shown('[data-create]')?.click(),
  g: () => {
    wentAtMs = performance.now()
  },
  j: () => move(1),
  k: () => move(-1),
}

document.addEventListener('keydown', (event) => {
  const { key, target } = event
  if ((event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey && key.toLowerCase() === 'k') {
    event.preventDefault()
    find()
    return
  }
  const isTyping = target instanceof Element && target.closest('input, textarea, select, [contenteditable]')
  if (isTyping && key === 'Escape' && target instanceof HTMLElement) target.blur()
  if (
    keys === undefined ||
    isTyping ||
    event.metaKey ||
    event.ctrlKey ||
    event.altKey ||
    (event.repeat && key === 'g')
  )
    return
  if (document.querySelector('dialog[open], :popover-open')) return
  const place = performance.now() - wentAtMs < FOLLOWS_WITHIN_MS ? places.get(key) : undefined
  if (key !== 'g') wentAtMs = -FOLLOWS_WITHIN_MS
  const act = place ? () => location.assign(place) : single[key]
  if (!act) return
  event.preventDefault()
  act()
})

for (const opener of document.querySelectorAll('[data-open="keys"]'))
  opener.addEventListener('click', () => {
    const menu = opener.closest('[popover]')
    if (menu instanceof HTMLElement) menu.hidePopover()
    openKeys()
  })

// The script of the search field: `/` focuses it, and what is typed is completed from an index that is loaded on the first
// focus. The index is a script of ours too, so the pages need not be allowed to connect anywhere. Without script the form
// searches on the server.

import type { Result } from '../search.ts'
import type { Words } from './words.ts'

/** One entry is title, kind, place, address, text and language. Fields come without their texts, or they would be most of it. */
export function searchIndex(entries: readonly Result[], { kinds }: Words): string {
  const seen = new Set<string>()
  const rows = entries
    .filter(({ kind, title }) => {
      const isNew = kind !== 'Field' || !seen.has(title)
      if (kind === 'Field') seen.add(title)
      return isNew
    })
    .map(({ kind, title, place, href, text, language }) => [
      title,
      kinds[kind],
      place,
      href,
      kind === 'Field' ? '' : text,
      language,
    ])
  return `export const entries = ${JSON.stringify(rows)}\n`
}

export const SEARCH_SCRIPT = `// Completes what is typed into the search field.
const MAX_SHOWN = 8
const form = document.querySelector('header .search')
const field = form.querySelector('input')
const { index } = form.dataset
const base = index.slice(0, index.indexOf('/docs/'))
const plain = (text) => text.normalize('NFD').replace(/\\p{M}/gu, '').toLowerCase()
const list = document.createElement('ul')
list.id = 'suggested'
list.className = 'suggested'
list.setAttribute('role', 'listbox')
list.setAttribute('aria-label', field.dataset.suggestions)
form.append(list)
field.setAttribute('role', 'combobox')
field.setAttribute('aria-autocomplete', 'list')
field.setAttribute('aria-controls', list.id)
field.setAttribute('aria-expanded', 'false')
let loading
let chosen = -1

document.addEventListener('keydown', (event) => {
  const { target } = event
  const isTyping = target.closest('input, textarea, select, [contenteditable]') !== null
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  field.focus()
  field.select()
})

field.addEventListener('focus', load)
field.addEventListener('input', () => void suggest())
field.addEventListener('blur', () => show([]))
field.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    if (list.children.length === 0) return
    event.preventDefault()
    choose(chosen + (event.key === 'ArrowDown' ? 1 : -1))
  } else if (event.key === 'Enter' && chosen >= 0) {
    event.preventDefault()
    location.href = list.children[chosen].dataset.href
  } else if (event.key === 'Escape') show([])
})

function load() {
  loading ??= import(index).then(({ entries }) =>
    entries.map(([title, kind, place, href, text, language]) => ({
      title, kind, place, href, language, plainTitle: plain(title), plainText: plain(place + ' ' + text),
    })),
  )
  return loading
}

async function suggest() {
  const typed = field.value
  const words = plain(typed).split(/[^\\p{L}\\p{N}._@]+/u).filter((word) => word !== '')
  const entries = await load()
  if (field.value !== typed) return
  if (words.length === 0) return show([])
  const scored = entries.map((entry) => ({ entry, score: scoreOf(entry, words) }))
  show(scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score).slice(0, MAX_SHOWN))
}

function scoreOf({ plainTitle, plainText }, words) {
  let score = 0
  for (const word of words) {
    if (plainTitle === word) score += 20
    else if (plainTitle.startsWith(word)) score += 12
    else if (plainTitle.includes(word)) score += 8
    else if (plainText.includes(word)) score += 1
    else return 0
  }
  return score
}

function show(found) {
  chosen = -1
  field.removeAttribute('aria-activedescendant')
  field.setAttribute('aria-expanded', String(found.length > 0))
  list.replaceChildren(...found.map(({ entry }, at) => {
    const item = document.createElement('li')
    item.id = 'suggested-' + at
    item.dataset.href = base + entry.href
    item.setAttribute('role', 'option')
    item.setAttribute('aria-selected', 'false')
    const title = document.createElement('b')
    title.textContent = entry.title
    title.lang = entry.language
    const place = document.createElement('span')
    place.textContent = entry.kind + ' · ' + entry.place
    item.append(title, place)
    // Before the field loses the focus, which would close the list.
    item.addEventListener('mousedown', (event) => {
      event.preventDefault()
      location.href = item.dataset.href
    })
    return item
  }))
}

function choose(at) {
  const items = [...list.children]
  chosen = (at + items.length) % items.length
  for (const [place, item] of items.entries()) item.setAttribute('aria-selected', String(place === chosen))
  items[chosen].scrollIntoView({ block: 'nearest' })
  field.setAttribute('aria-activedescendant', items[chosen].id)
}
`

// What the script shows over a page: the list of keys, the question before a grave step, and what came in while somebody was at a
// list. Without the script none of it is seen.

import { type Html, html } from '../core/html.ts'
import type { UserLanguage } from '../core/team/user.ts'
import { PLACES, sectionsIn } from './sections.ts'
import type { Visit } from './visit.ts'

type DialogWords = {
  readonly title: string
  readonly find: string
  readonly filter: string
  readonly next: string
  readonly previous: string
  readonly open: string
  readonly create: string
  readonly list: string
  readonly go: (section: string) => string
  readonly then: string
  readonly off: string
  readonly turnOn: string
  readonly one: string
  // With # for the number.
  readonly many: string
}

const WORDS: Readonly<Record<UserLanguage, DialogWords>> = {
  es: {
    title: 'Atajos de teclado',
    find: 'Buscar',
    filter: 'Filtrar la lista',
    next: 'Fila siguiente',
    previous: 'Fila anterior',
    open: 'Abrir la fila',
    create: 'Crear',
    list: 'Esta lista',
    go: (section) => `Ir a ${section}`,
    then: 'y luego',
    off: 'Los atajos de una sola tecla están apagados.',
    turnOn: 'Encenderlos en mi cuenta',
    one: '1 nuevo',
    many: '# nuevos',
  },
  en: {
    title: 'Keyboard shortcuts',
    find: 'Search',
    filter: 'Filter the list',
    next: 'Next row',
    previous: 'Previous row',
    open: 'Open the row',
    create: 'Create',
    list: 'This list',
    go: (section) => `Go to ${section}`,
    then: 'then',
    off: 'Single-key shortcuts are off.',
    turnOn: 'Turn them on in my account',
    one: '1 new',
    many: '# new',
  },
}

export function dialogs(visit: Visit): Html {
  const { words, language } = visit
  const { one, many } = WORDS[language]
  return html`<div class="news" role="status"><button type="button" id="news" hidden data-one="${one}" data-many="${many}"></button></div>
<p class="unseen" role="status" id="told" data-copied="${words.copied}"></p>
${keyList(visit)}
<dialog id="sure" class="dialog" aria-labelledby="sure-text"><form method="dialog"><p id="sure-text"></p><div class="dialog-ways"><button class="button" value="">${words.form.cancel}</button><button class="button main" value="yes"></button></div></form></dialog>`
}

function keyList(visit: Visit): Html {
  const { words, language, environment, signedIn, base } = visit
  const texts = WORDS[language]
  const row = (keys: Html, label: string) => html`<div><dt>${label}</dt><dd>${keys}</dd></div>`
  const key = (name: string) => html`<kbd>${name}</kbd>`
  const found = row(html`${key('⌘')} ${key('K')} ${words.or} ${key('Ctrl')} ${key('K')}`, texts.find)
  const single = html`<dl>${found}${row(key('/'), texts.filter)}${row(key('j'), texts.next)}${row(key('k'), texts.previous)}${row(key('Enter'), texts.open)}${row(key('c'), texts.create)}${row(key('?'), texts.list)}</dl><dl>${sectionsIn(
    environment,
  ).map((section) =>
    row(html`${key('g')} ${texts.then} ${key(PLACES[section].key)}`, texts.go(words.sections[section])),
  )}</dl>`
  const off = html`<dl>${found}</dl><p class="hint">${texts.off} <a href="${base}/account">${texts.turnOn}</a></p>`
  return html`<dialog id="keys" class="dialog" aria-labelledby="keys-title"><div class="dialog-head"><h2 id="keys-title">${texts.title}</h2><form method="dialog"><button class="button small">${words.close}</button></form></div><div class="keys">${signedIn.user.singleKeys ? single : off}</div></dialog>`
}

// Small drawings, of our own, in lines. They stand beside words and say nothing by themselves, except where a label is given.

import { type Html, html, trustedHtml } from '../core/html.ts'

// In a square of 20.
const DRAWINGS = {
  home: 'M3.5 9.2 10 3.8l6.5 5.4M5.2 8v8h9.6V8M8.4 16v-4.2h3.2V16',
  payins: 'M10 3v9.5M6.2 9 10 12.8 13.8 9M3.8 16.2h12.4',
  payouts: 'M10 12.8V3.2M6.2 7 10 3.2 13.8 7M3.8 16.2h12.4',
  refunds: 'M7.2 4 3.6 7.6l3.6 3.6M3.6 7.6h8.2a4.3 4.3 0 0 1 0 8.6H8',
  suspense: 'M3.5 10.5 5.6 4h8.8l2.1 6.5v5.5h-13zM3.5 10.5h3.6l1.2 2.2h3.4l1.2-2.2h3.6M9 6.2h2',
  links:
    'M8.4 11.6a3.2 3.2 0 0 0 4.6.1l2.5-2.5a3.2 3.2 0 0 0-4.6-4.6l-1 1M11.6 8.4a3.2 3.2 0 0 0-4.6-.1l-2.5 2.5a3.2 3.2 0 0 0 4.6 4.6l1-1',
  approvals: 'M4.5 3.5h11v13h-11zM7.3 10.2l2 2 3.6-4.2',
  reports: 'M4 3.5h12v13H4zM7 13.5v-3M10 13.5V7M13 13.5V9',
  events: 'M3 10h3.2l2-5.5 3.6 11 2-5.5H17',
  webhooks: 'M4 6.5h9.5M10.8 3.6l2.9 2.9-2.9 2.9M16 13.5H6.5M9.2 10.6l-2.9 2.9 2.9 2.9',
  alarms:
    'M10 3a4.4 4.4 0 0 0-4.4 4.4c0 4.3-1.6 5.4-1.6 5.4h12s-1.6-1.1-1.6-5.4A4.4 4.4 0 0 0 10 3M8.5 15.8a1.6 1.6 0 0 0 3 0',
  settings:
    'M3.5 6h7M14.5 6h2M3.5 14h2M9.5 14h7M12.5 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4M7.5 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4',
  sandbox: 'M8 3.2h4M8.8 3.2v5L4.6 15a1.2 1.2 0 0 0 1 1.8h8.8a1.2 1.2 0 0 0 1-1.8l-4.2-6.8v-5M6.6 12h6.8',
  find: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11M13 13l3.8 3.8',
  more: 'M3.5 6h13M3.5 10h13M3.5 14h13',
  chevron: 'M7 8l3 3 3-3',
  right: 'M8 6l4 4-4 4',
  left: 'M12 6l-4 4 4 4',
  copy: 'M7.5 7.5h8v8h-8zM12.5 7.5v-3h-8v8h3',
  download: 'M10 3.5v8.5M6.5 8.7 10 12.2l3.5-3.5M4 16h12',
  filter: 'M3.5 5.5h13M6 10h8M8.5 14.5h3',
  close: 'M5.5 5.5l9 9M14.5 5.5l-9 9',
  check: 'M4.5 10.5l3.5 3.5 7.5-8',
  plus: 'M10 4.5v11M4.5 10h11',
  eye: 'M2.5 10S5.2 5 10 5s7.5 5 7.5 5-2.7 5-7.5 5-7.5-5-7.5-5M10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4',
  warning: 'M10 3.5 17.3 16H2.7zM10 8.3v3.4M10 13.8v.1',
  lock: 'M5.5 9h9v7.5h-9zM7.3 9V6.7a2.7 2.7 0 0 1 5.4 0V9',
  user: 'M10 9.8a3 3 0 1 0 0-6 3 3 0 0 0 0 6M4.2 16.6a5.8 5.8 0 0 1 11.6 0',
  print: 'M6 7V3.5h8V7M6 14H3.8V7h12.4v7H14M6 11.5h8v5H6z',
  refresh: 'M15.8 8.2A6 6 0 1 0 16 11M16 4.5v3.8h-3.8',
  bookmark: 'M5.5 3.5h9v13L10 12.8 5.5 16.5z',
  outside: 'M8 4.5H4.5v11h11V12M11 4.5h4.5V9M15.3 4.7 9 11',
  key: 'M9.5 10.5 16 4M13.2 6.8l2.3 2.3M7 16a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7',
  passkey:
    'M8 9.6a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2.6 16.4a5.5 5.5 0 0 1 8-4.4M14.6 13.2a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6M14.6 13.2v4l1.5-1.2',
  bank: 'M3 8l7-4 7 4zM5 8.5v5.5M8.4 8.5v5.5M11.6 8.5v5.5M15 8.5v5.5M3 16.3h14',
  book: 'M4 4.5h5a2 2 0 0 1 1 .5 2 2 0 0 1 1-.5h5v11h-5a2 2 0 0 0-1 .5 2 2 0 0 0-1-.5H4zM10 5v11',
  send: 'M17 3.5 8.8 11.7M17 3.5l-5 13-3.2-4.8L4 8.5z',
  question:
    'M10 16.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M8.2 8.2a1.9 1.9 0 1 1 2.6 1.8c-.5.3-.8.6-.8 1.2M10 13.4v.1',
  clock: 'M10 16.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M10 6.5V10l2.4 1.6',
} as const

export type IconName = keyof typeof DRAWINGS

const DRAWN = Object.fromEntries(
  Object.entries(DRAWINGS).map(([name, path]) => [
    name,
    trustedHtml(`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="${path}"/></svg>`),
  ]),
) as Record<IconName, Html>

export function icon(name: IconName): Html {
  return DRAWN[name]
}

// Where there is no room for the words beside it.
export function namedIcon(name: IconName, label: string): Html {
  return html`${icon(name)}<span class="unseen">${label}</span>`
}

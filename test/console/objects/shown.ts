// What the page of an object shows, as a person reads it.

export type Moment = {
  readonly source: string
  readonly title: string
  readonly notes: string
  readonly at: string
}

export function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ')
}

export function sentenceIn(page: string): string {
  return plain(/id="sentence">(.*?)<\/p>/s.exec(page)?.[1] ?? '')
}

// In the order of the timeline.
export function momentsIn(page: string): Moment[] {
  const entry =
    /<span class="unseen">([^<]*): <\/span>(.*?)<\/span>(?:<span class="moment-notes">(.*?)<\/span>)?<time datetime="([^"]*)"/gs
  return [...plain(page).matchAll(entry)].map(([, source = '', title = '', notes = '', at = '']) => ({
    source,
    title,
    notes,
    at,
  }))
}

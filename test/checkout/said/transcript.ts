// A page as its visitor meets it, one element a line: its words, where its links lead, and what its forms ask and send. Without its
// style, its script and the squares of its codes, which are the same everywhere or have tests of their own.

export function transcriptOf(page: string): string {
  return page
    .replaceAll(/<(style|script)\b[\s\S]*?<\/\1>/g, '')
    .replaceAll(/(<svg\b[^>]*>)[\s\S]*?<\/svg>/g, '$1')
    .replaceAll(/(data:[a-z/+]+;base64,)[^"]+/g, '$1…')
    .replaceAll(/<\/[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?<(?!option\b)/g, '\n<')
    .replaceAll(/ +$/gm, '')
    .trim()
}

/** What is the page's own, of long lists only how long they are. The rest is the same on all of them. */
export function contentTranscriptOf(page: string): string {
  const title = /<title>[^<]*/.exec(page)?.[0]
  const refresh = /<noscript>.*?<\/noscript>/.exec(page)?.[0] ?? ''
  const main = /<main[\s\S]*<\/main>/.exec(page)?.[0] ?? ''
  const shortened = main.replaceAll(/(?:<option value="\w+">[^<]*<\/option>\s*){6,}/g, (list) => {
    const count = list.split('<option').length - 1
    return `<option> ${count} of them`
  })
  return transcriptOf(`${title}${refresh}${shortened}`)
}

/** Its words alone: elements are the same in every language. */
export function transcriptWordsOf(transcript: string): string {
  return transcript
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/^ | $/gm, '')
    .replaceAll(/\n{2,}/g, '\n')
    .trim()
}

/** By the name of the page. */
export type PageTranscripts = Readonly<Record<string, string>>

export function formatTranscripts(pages: PageTranscripts): string {
  return Object.entries(pages)
    .map(([name, text]) => `=== ${name}\n${text}\n`)
    .join('\n')
}

export function parseTranscripts(text: string): PageTranscripts {
  const parts = text.split(/^=== /m).slice(1)
  return Object.fromEntries(
    parts.map((part) => {
      const [name = '', ...lines] = part.trimEnd().split('\n')
      return [name, lines.join('\n')]
    }),
  )
}

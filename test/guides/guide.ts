// The guides as readers see them: text, headings, and code blocks. A block marked `sh` is run by the tests, in order
// and unchanged. One marked `bash` is for another terminal or machine, and only its commands and flags are checked.
// Every `ts` block is compiled, and run if it can be.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../examples/workspace.ts'

export const GUIDES = join(ROOT, 'docs/guides')
const LANGUAGES = ['en', 'es'] as const

export type Block = { language: string; text: string; heading: string }
export type Guide = {
  language: (typeof LANGUAGES)[number]
  slug: string
  path: string
  text: string
  // The text without the blocks.
  prose: string
  headings: { level: number; text: string }[]
  blocks: Block[]
}

export const guides: readonly Guide[] = LANGUAGES.flatMap((language) =>
  readdirSync(join(GUIDES, language))
    .filter((name) => name.endsWith('.md'))
    .map((name) => readGuide(language, name.replace(/\.md$/, ''))),
)

export function guideOf(slug: string, language: Guide['language'] = 'en'): Guide {
  const guide = guides.find((one) => one.slug === slug && one.language === language)
  if (guide === undefined) throw new Error(`there is no guide ${language}/${slug}`)
  return guide
}

function readGuide(language: Guide['language'], slug: string): Guide {
  const path = join(GUIDES, language, `${slug}.md`)
  const text = readFileSync(path, 'utf8')
  const headings: Guide['headings'] = []
  const blocks: Block[] = []
  let prose = ''
  let block: Block | undefined
  for (const line of text.split('\n')) {
    const fence = /^```(\w*)$/.exec(line)
    if (fence !== null && block === undefined) {
      block = { language: fence[1] ?? '', text: '', heading: headings.at(-1)?.text ?? '' }
    } else if (fence !== null && block !== undefined) {
      blocks.push(block)
      block = undefined
    } else if (block !== undefined) {
      block.text += `${line}\n`
    } else {
      const heading = /^(#+) (.+)$/.exec(line)
      if (heading !== null)
        headings.push({ level: (heading[1] as string).length, text: heading[2] as string })
      prose += `${line}\n`
    }
  }
  if (block !== undefined) throw new Error(`${path} ends inside a block`)
  return { language, slug, path, text, prose, headings, blocks }
}

/** Everything between backticks in the text. */
export function codeWords(guide: Guide): string[] {
  return [...guide.prose.matchAll(/`([^`]+)`/g)].map(([, word]) => word as string)
}

/** A module's text, with the addresses of this test instead of the reader's. */
export function forServer(code: string, baseUrl: string): string {
  return code.replaceAll(
    `{ apiKey: process.env.RECAUDO_API_KEY ?? '' })`,
    `{ apiKey: process.env.RECAUDO_API_KEY ?? '' }, { baseUrl: '${baseUrl}' })`,
  )
}

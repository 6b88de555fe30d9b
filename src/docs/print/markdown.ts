// Converts Markdown to HTML, for the guides and for the texts in OpenAPI. HTML inside the Markdown is shown as text,
// never interpreted, and every address goes through `linkTo`.

import { Marked, type Tokens } from 'marked'
import { escapeHtml, type Html, trustedHtml } from '../../core/html.ts'
import { slugOf } from './block.ts'
import { highlight } from './highlight.ts'

/** The target of a link in the text. Undefined removes the link and keeps its words. */
export type LinkTo = (href: string) => string | undefined

export type MarkdownPrinter = {
  readonly inline: (text: string) => Html
  readonly whole: (source: string) => Html
}

export type MarkdownLabels = { readonly table: string; readonly code: string }

/** The labels name tables and code to whoever cannot see them. */
export function createMarkdown(
  linkTo: LinkTo,
  labels: MarkdownLabels = { table: 'Table', code: 'Code' },
): MarkdownPrinter {
  const inline = new Marked({ gfm: true })
  inline.use({ renderer: { html: asText, link: linkRenderer(linkTo), image: altText, codespan } })
  const whole = (source: string): Html => {
    const ids = new Set<string>()
    const marked = new Marked({ gfm: true })
    marked.use({
      renderer: {
        html: asText,
        link: linkRenderer(linkTo),
        image: altText,
        codespan,
        heading({ tokens, depth, text }) {
          const id = unusedId(slugOf(text), ids)
          return `<h${depth} id="${escapeHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
        },
        code: ({ text, lang }) => codeBox(text, lang ?? '', labels.code).html,
        table(token) {
          const cell = (one: Tokens.TableCell, name: string) =>
            `<${name}>${this.parser.parseInline(one.tokens)}</${name}>`
          const head = token.header.map((one) => cell(one, one.text === '' ? 'td' : 'th')).join('')
          const rows = token.rows.map((row) => `<tr>${row.map((one) => cell(one, 'td')).join('')}</tr>`)
          return scrollBox(
            labels.table,
            `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`,
          ).html
        },
      },
    })
    return trustedHtml(marked.parse(source, { async: false }))
  }
  return { inline: (text) => trustedHtml(inline.parseInline(text, { async: false })), whole }
}

/** Long lines scroll inside their own box, also by keyboard. */
export function codeBox(text: string, language: string, label = 'Code'): Html {
  return trustedHtml(
    `<pre class="code" tabindex="0" role="group" aria-label="${escapeHtml(`${label}${language && `, ${language}`}`)}"><code>${highlight(text.replace(/\n$/, ''), language).html}</code></pre>\n`,
  )
}

export function scrollBox(label: string, content: string): Html {
  return trustedHtml(
    `<div class="scroll" tabindex="0" role="group" aria-label="${escapeHtml(label)}">${content}</div>\n`,
  )
}

export function unusedId(wanted: string, ids: Set<string>): string {
  let id = wanted
  for (let count = 2; ids.has(id); count += 1) id = `${wanted}-${count}`
  ids.add(id)
  return id
}

/** The headings of a guide, for readers and the search: lines that begin with #, outside of code. */
export function headingsOf(source: string): { level: number; text: string; id: string }[] {
  const ids = new Set<string>()
  return outsideCode(source).flatMap((line) => {
    const [, marks = '', text = ''] = /^(#{1,6}) +(.*?)\s*$/.exec(line) ?? []
    return text === '' ? [] : [{ level: marks.length, text, id: unusedId(slugOf(text), ids) }]
  })
}

/** A guide's text by section, without markup, code included: what a reader may search for. */
export function sectionsOf(source: string): { heading?: string; id: string; text: string }[] {
  const headings = headingsOf(source)
  const sections: { heading?: string; id: string; lines: string[] }[] = [{ id: '', lines: [] }]
  let fenced = false
  for (const line of source.split('\n')) {
    if (FENCE.test(line)) fenced = !fenced
    else if (!fenced && /^#{1,6} +\S/.test(line)) {
      const { text = '', id = '' } = headings.shift() ?? {}
      sections.push({ heading: text, id, lines: [] })
    } else sections.at(-1)?.lines.push(line)
  }
  return sections.map(({ lines, ...rest }) => ({ ...rest, text: plainText(lines.join(' ')) }))
}

// Links keep their words. What marks emphasis, code and the cells of tables goes.
function plainText(text: string): string {
  return text
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]/g, ' ')
    .replaceAll(/(?<=\s)-{3,}(?=\s)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const FENCE = /^\s*(```|~~~)/

function outsideCode(source: string): string[] {
  let fenced = false
  return source.split('\n').filter((line) => {
    if (FENCE.test(line)) fenced = !fenced
    return !fenced
  })
}

/** Rewrites the links of a guide's Markdown. Code is left alone. */
export function rewriteLinks(source: string, linkTo: LinkTo): string {
  let fenced = false
  return source
    .split('\n')
    .map((line) => {
      if (FENCE.test(line)) fenced = !fenced
      if (fenced) return line
      return line.replaceAll(/(`[^`]*`)|\[([^\]]+)\]\(([^)\s]+)\)/g, (all, code, words, href) => {
        if (code !== undefined) return all
        const target = linkTo(href)
        return target === undefined ? words : `[${words}](${target})`
      })
    })
    .join('\n')
}

// Short names, such as those of events, are never broken. A column of a table would be as wide as the longest of the others,
// so those may be broken after a sign.
const LONGEST_UNBROKEN = 21

function codespan({ text }: Tokens.Codespan): string {
  const parts = text.length > LONGEST_UNBROKEN ? text.split(/(?<=[_/.,:=&])(?=\w)/) : [text]
  return `<code>${parts.map(escapeHtml).join('<wbr>')}</code>`
}

function asText({ text }: Tokens.HTML | Tokens.Tag): string {
  return escapeHtml(text)
}

function altText({ text }: Tokens.Image): string {
  return escapeHtml(text)
}

function linkRenderer(linkTo: LinkTo) {
  return function (
    this: { parser: { parseInline(tokens: Tokens.Link['tokens']): string } },
    token: Tokens.Link,
  ) {
    const words = this.parser.parseInline(token.tokens)
    const href = linkTo(token.href)
    return href === undefined ? words : `<a href="${escapeHtml(href)}">${words}</a>`
  }
}

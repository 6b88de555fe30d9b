// Prints blocks as Markdown, for programs and for people who copy a page. Addresses are absolute and lead to the
// Markdown of the other pages.

import type { Field } from '../pages/fields.ts'
import { TRANSITION_HEAD, transitionRows } from '../pages/lifecycle-tables.ts'
import type { Block, Page } from './block.ts'
import { sentence } from './html.ts'
import { type LinkTo, rewriteLinks } from './markdown.ts'

/** The note comes first, for a page that is not in its reader's language. */
export function printMarkdown(page: Page, { linkTo, note }: { linkTo: LinkTo; note: string }): string {
  const [first] = page.blocks
  // The text of a guide already begins with its summary.
  const head = [`# ${page.title}`, note && `> ${note}`, ...(first?.kind === 'markdown' ? [] : [page.summary])]
  return `${rewriteLinks([...head, ...page.blocks.map(printBlock)].filter((part) => part !== '').join('\n\n'), linkTo)}\n`
}

function printBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`
    case 'text':
      return block.text
    case 'list':
      return block.items.map((item) => `- ${item}`).join('\n')
    case 'table':
      return tableText(block.head, block.rows)
    case 'code':
      return `${block.caption}:\n\n${fence(block.language, block.text)}`
    case 'samples':
      return block.samples
        .map(({ label, language, text }) => `${block.caption} (${label}):\n\n${fence(language, text)}`)
        .join('\n\n')
    case 'endpoint':
      return `\`${block.method} ${block.path}\``
    case 'fields':
      return tableText(['Field', 'Type', '', 'Description'], fieldRows(block.fields, ''))
    case 'lifecycle':
      return tableText(TRANSITION_HEAD, transitionRows(block.doc))
    case 'split':
      return [...block.text, ...block.code]
        .map(printBlock)
        .filter((part) => part !== '')
        .join('\n\n')
    case 'foreign':
      return block.blocks.map(printBlock).join('\n\n')
    case 'try':
      return ''
    case 'markdown':
      return block.source.trim()
  }
}

const PRESENCE: Readonly<Record<Field['presence'], string>> = {
  required: 'required',
  sometimes: 'sometimes required',
  optional: 'optional',
  always: '',
}

function fieldRows(fields: readonly Field[], before: string): string[][] {
  return fields.flatMap((field) => {
    const values = field.values.map((value) => `\`${value}\``).join(', ')
    const descriptionParts = [
      field.description,
      field.facts.length > 0 ? sentence(field.facts) : '',
      values && `${field.values.length > 1 ? 'One of' : 'Always'} ${values}.`,
    ]
    const name = `${before}${field.name}`
    const type = field.typeLink ? `[${field.type}](${field.typeLink})` : field.type
    return [
      [
        `\`${name}\``,
        type,
        PRESENCE[field.presence],
        descriptionParts.filter((part) => part !== '').join(' '),
      ],
      ...fieldRows(field.fields, `${name}.`),
    ]
  })
}

function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

function fence(language: string, text: string): string {
  const ticks = text.includes('```') ? '````' : '```'
  return `${ticks}${language}\n${text.replace(/\n$/, '')}\n${ticks}`
}

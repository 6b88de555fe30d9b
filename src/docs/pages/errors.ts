// The error catalogue, in English and in Spanish. The anchors are the codes, and the `type` of every error body points to one
// of them.

import { refusalCodes, STATUS_OF } from '../../api/http/errors.ts'
import { ERROR_TEXTS, remedyOf } from '../../api/openapi/errors-markdown.ts'
import { type Block, heading, json, type Language, list, type Page, text } from '../print/block.ts'
import { operationAddress, type Setting } from './resource.ts'

// For a code that more operations than this can return, the page does not list them.
const MANY_OPERATIONS = 12

const PATHS: Readonly<Record<Language, string>> = { en: '/docs/errors', es: '/docs/es/errors' }

const PAGE_TEXTS = {
  en: {
    summary: 'Every error of the API, what it means, and what to do about it.',
    example: 'A refusal',
    from: 'From',
    ofOneField: 'What `errors[].code` says about one field.',
  },
  es: {
    summary: 'Todos los errores de la API, qué significan y qué hacer con cada uno.',
    example: 'Un rechazo',
    from: 'Lo responden',
    ofOneField: 'Lo que dice `errors[].code` de un campo.',
  },
} as const

export function errorsPage({ api, baseUrl }: Setting, language: Language): Page {
  const texts = ERROR_TEXTS[language]
  const { summary, example, from, ofOneField } = PAGE_TEXTS[language]
  const other: Language = language === 'en' ? 'es' : 'en'
  return {
    path: PATHS[language],
    title: texts.title,
    summary,
    section: 'API reference',
    language,
    translation: { language: other, path: PATHS[other] },
    blocks: [
      {
        kind: 'split',
        text: [text(texts.introduction), list(texts.points), text(texts.unchanged)],
        code: [json(example, exampleRefusal(baseUrl))],
      },
      heading(2, texts.codes, 'codes'),
      ...refusalCodes().flatMap((code): Block[] => {
        const operations = api.operations.filter(({ refusals }) =>
          refusals.some(({ codes }) => codes.includes(code)),
        )
        // By method and path in Spanish, because their names are English.
        const links = operations.map((operation) => {
          const name = language === 'en' ? operation.summary : `\`${operation.method} ${operation.path}\``
          return `[${name}](${operationAddress(operation)})`
        })
        return [
          heading(3, `\`${code}\` ${STATUS_OF[code]}`, code),
          text(`${texts.refusals[code]} ${remedyOf(code, language)}`),
          ...(links.length === 0 || links.length > MANY_OPERATIONS
            ? []
            : [text(`${from}: ${links.join(', ')}.`)]),
        ]
      }),
      heading(2, texts.fieldCodes, 'field-codes'),
      text(ofOneField),
      ...Object.entries(texts.fields).flatMap(([code, meaning]): Block[] => [
        heading(3, `\`${code}\``, code),
        text(meaning),
      ]),
    ],
  }
}

export function exampleRefusal(baseUrl: string): object {
  return {
    type: `${baseUrl}/docs/errors#INVALID_INPUT`,
    title: 'Bad request',
    status: 400,
    detail: '/amountInCents: must be at least 1',
    code: 'INVALID_INPUT',
    requestId: '019a5c3e-7b1f-7c2a-9d4e-3f1b2a6c8d90',
    errors: [{ path: '/amountInCents', code: 'OUT_OF_RANGE', message: 'must be at least 1' }],
  }
}

/** What each code means, by the anchor of its paragraph. Undefined for other pages. */
export function errorTexts({ path, language }: Page): Readonly<Record<string, string>> | undefined {
  const { refusals, fields } = ERROR_TEXTS[language]
  return path === PATHS[language] ? { ...refusals, ...fields } : undefined
}

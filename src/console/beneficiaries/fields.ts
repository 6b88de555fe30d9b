// What is typed about somebody in the book, and what can be wrong with it.

import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../core/contact.ts'
import { KEY_MAX_LENGTH } from '../../core/directory/breb-key.ts'
import { ID_TYPES, MAX_ID_NUMBER_LENGTH } from '../../core/identity-document.ts'
import type { Receiver } from '../../core/people/customer.ts'
import { PAYOUT_FORM_WORDS } from '../create/payout-words.ts'
import type { Field } from '../fields.ts'
import type { FormState } from '../form-state.ts'
import type { Visit } from '../visit.ts'
import { STATES } from '../words/states.ts'
import { BENEFICIARY_WORDS } from './words.ts'

const KEY = '/key'
const DOCUMENT = '/idNumber'

// An entry is its document's: of one that is there, the document is not typed.
export function entryFields({ language }: Visit, known?: Receiver): Field[] {
  const words = BENEFICIARY_WORDS[language]
  const { fields } = words
  const { keyProblems } = PAYOUT_FORM_WORDS[language]
  const { idTypes } = STATES[language]
  const customer = known?.customer
  const document: Field[] =
    customer === undefined
      ? [
          {
            kind: 'select',
            path: '/idType',
            label: fields.idType,
            options: [
              { value: '', label: words.choose },
              ...ID_TYPES.map((type) => ({ value: type, label: idTypes[type] })),
            ],
          },
          {
            kind: 'text',
            path: DOCUMENT,
            label: fields.idNumber,
            maxLength: MAX_ID_NUMBER_LENGTH,
            autocomplete: 'off',
            wrong: ({ code }) =>
              code === 'NOT_ALLOWED'
                ? words.somebodyElse
                : code === 'WRONG_FORMAT'
                  ? words.idWrong
                  : undefined,
          },
        ]
      : []
  return [
    ...document,
    {
      kind: 'text',
      path: '/name',
      label: fields.name,
      value: customer?.name ?? '',
      maxLength: NAME_MAX_LENGTH,
      autocomplete: 'off',
    },
    {
      kind: 'text',
      path: KEY,
      label: fields.key,
      hint: fields.keyHint,
      value: known?.keyString ?? '',
      maxLength: KEY_MAX_LENGTH,
      autocomplete: 'off',
      wrong: ({ code }) => (code === 'NOT_ALLOWED' ? words.somebodyElse : keyProblems[code]),
    },
    {
      kind: 'email',
      path: '/email',
      label: fields.email,
      value: customer?.email ?? '',
      maxLength: EMAIL_MAX_LENGTH,
      autocomplete: 'off',
      isOptional: true,
    },
  ]
}

// What the directory says of a key is said at the key; and so is that it is somebody else's, where the document cannot be typed.
export function atTheirFields(form: FormState, isDocumentTyped: boolean): FormState {
  const { refusal, problems } = form
  if (refusal === null) return form
  if (problems.length === 0 && /^KEY_/.test(refusal.refused))
    return { ...form, problems: [{ path: KEY, code: refusal.refused, message: refusal.detail }] }
  if (isDocumentTyped) return form
  const moved = problems.map((one) => (one.path === DOCUMENT ? { ...one, path: KEY } : one))
  return { ...form, problems: moved }
}

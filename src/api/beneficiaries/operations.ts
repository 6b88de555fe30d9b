// Merchant operations on the beneficiary book: list, get, write, delete.

import { type Beneficiary, presentBeneficiary, VERIFICATIONS } from '../../core/beneficiaries/beneficiary.ts'
import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from '../../core/contact.ts'
import { KEY_MAX_LENGTH, parseBrebKey } from '../../core/directory/breb-key.ts'
import { ID_TYPES } from '../../core/identity-document.ts'
import { isUuid } from '../../core/ids.ts'
import { type Static, Type } from '../../core/json-schema.ts'
import { fieldsInPlaceOf, receiverOf } from '../../core/people/sealed.ts'
import { type FieldProblem, isRefusal } from '../../core/refusal.ts'
import {
  deleteBeneficiary,
  refuseUnknownBeneficiary,
  writeBeneficiary,
} from '../../flows/beneficiaries/write.ts'
import type { Context } from '../../flows/context.ts'
import { beneficiaryList, getBeneficiary } from '../../store/beneficiaries/beneficiaries.ts'
import { type ApiRequest, json, type Operation } from '../http/operation.ts'
import { PAGE_QUERY, PAGE_SIZE, PageInfoObject, readPage } from '../http/pagination.ts'
import { DateTime, Nullable, OneOf, Text, Uuid } from '../http/schema.ts'
import { documentProblems } from '../payins/request-rules.ts'

const example = {
  id: '019a5c40-2b3c-7d4e-8f50-6a7b8c9d0e3c',
  idType: 'CO_CC',
  idNumber: '1000000001',
  name: 'Ana María Gómez',
  email: 'ana@example.com',
  key: '1000000001',
  verifiedAt: '2025-11-07T13:01:30.300Z',
  verifiedBy: 'DOCUMENT',
  createdAt: '2025-11-07T13:01:30.300Z',
  updatedAt: '2025-11-07T13:01:30.300Z',
  organizationId: '019a5c3e-0000-7000-8000-000000000001',
}

export const WriteBeneficiary = Type.Object({
  idType: OneOf(ID_TYPES, { description: 'Document type.' }),
  idNumber: Type.String({
    minLength: 1,
    maxLength: 20,
    pattern: '^[\\p{L}\\p{N}.-]+$',
    description: 'Document number. Whoever has it is one entry of the book.',
    examples: ['1000000001'],
  }),
  name: Text(NAME_MAX_LENGTH, { description: 'Full name.', examples: ['Ana María Gómez'] }),
  email: Type.Optional(
    Type.String({ maxLength: EMAIL_MAX_LENGTH, format: 'email', examples: ['ana@example.com'] }),
  ),
  key: Text(KEY_MAX_LENGTH, { description: 'Their Bre-B key.', examples: ['1000000001'] }),
})

export const BeneficiaryObject = Type.Object({
  id: Uuid('Identifier of the entry.'),
  idType: Type.String(),
  idNumber: Type.String(),
  name: Type.String(),
  email: Type.String({ description: 'Empty if there is none.' }),
  key: Type.String({ description: 'The Bre-B key, in canonical form.' }),
  verifiedAt: Nullable(
    DateTime('When the directory last named the same document for the key; null if it did not.'),
  ),
  verifiedBy: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    enum: [...VERIFICATIONS, null],
    description: 'How: by the whole document, or by the part of it that the directory shows.',
  }),
  createdAt: DateTime('When the entry was made.'),
  updatedAt: DateTime('When it was last written.'),
  organizationId: Uuid('Whose book it is.'),
})

export const BeneficiaryList = Type.Object({ data: Type.Array(BeneficiaryObject), pageInfo: PageInfoObject })
export const DeletedBeneficiary = Type.Object({
  id: Uuid('The entry that is gone.'),
  deleted: Type.Unsafe<true>({ type: 'boolean', const: true }),
})

const BENEFICIARY_ID = {
  beneficiaryId: { description: 'Identifier of the entry.', example: example.id },
}
const TAG = 'Beneficiaries'

async function presented(ctx: Context, beneficiary: Beneficiary): Promise<Record<string, unknown>> {
  const vault = await ctx.vault(beneficiary.organizationId)
  const fields = vault.open(beneficiary.person, beneficiary.beneficiaryId)
  return presentBeneficiary(
    beneficiary,
    receiverOf(typeof fields === 'string' ? fieldsInPlaceOf(fields) : fields),
  )
}

export const writeBeneficiaryOperation: Operation = {
  method: 'PUT',
  path: '/beneficiaries',
  operationId: 'writeBeneficiary',
  tag: TAG,
  summary: 'Write an entry of the beneficiary book',
  description:
    'Keeps whose key is which, by document: rows of a file that name the document and no key are paid to it. The key is looked up within the budget; a key of nobody, or of somebody else, is refused. ' +
    'An entry with the same document is written anew.',
  access: { scope: 'payouts:write', shown: 'apiKey' },
  act: 'beneficiary.write',
  body: {
    schema: WriteBeneficiary,
    required: true,
    examples: {
      person: {
        summary: 'A person',
        value: { idType: 'CO_CC', idNumber: '1000000001', name: 'Ana María Gómez', key: '1000000001' },
      },
    },
  },
  rules: ({ body }) => ruleProblems(body as Partial<Static<typeof WriteBeneficiary>>),
  success: {
    status: 200,
    description: 'The entry.',
    schema: BeneficiaryObject,
    examples: { entry: { summary: 'An entry', value: example } },
  },
  refusals: [
    'INVALID_INPUT',
    'KEY_INVALID',
    'KEY_NOT_FOUND',
    'KEY_SUSPENDED',
    'KEY_OF_SOMEBODY_ELSE',
    'KEY_NOT_VERIFIED',
  ],
  handle: async ({ ctx, caller, body }) => {
    const { idType, idNumber, name, email = '', key: written } = body as Static<typeof WriteBeneficiary>
    const key = parseBrebKey(written)
    if (key === undefined) throw new Error('the rules let a wrong key pass')
    const customer = { name, idType, idNumber, phone: '', email }
    const made = await writeBeneficiary(ctx, caller.organization, { customer, key })
    return isRefusal(made) ? made : json(200, presentBeneficiary(made.beneficiary, made.receiver))
  },
}

function ruleProblems(body: Partial<Static<typeof WriteBeneficiary>>): FieldProblem[] {
  const { key } = body
  const problems: FieldProblem[] =
    typeof key === 'string' && parseBrebKey(key) === undefined
      ? [{ path: '/key', code: 'KEY_INVALID', message: 'is not a Bre-B key of any form' }]
      : []
  const documents = documentProblems(body as Parameters<typeof documentProblems>[0])
  return problems.concat(documents.map((one) => ({ ...one, path: one.path.replace('/inlineCustomer', '') })))
}

function idOf({ params }: ApiRequest): string | undefined {
  const beneficiaryId = (params.beneficiaryId ?? '').toLowerCase()
  return isUuid(beneficiaryId) ? beneficiaryId : undefined
}

export const getBeneficiaryOperation: Operation = {
  method: 'GET',
  path: '/beneficiaries/{beneficiaryId}',
  operationId: 'getBeneficiary',
  tag: TAG,
  summary: 'Get an entry of the beneficiary book',
  description: 'The entry as it stands.',
  access: { scope: 'payouts:read', shown: 'apiKey' },
  params: BENEFICIARY_ID,
  success: {
    status: 200,
    description: 'The entry.',
    schema: BeneficiaryObject,
    examples: { entry: { summary: 'An entry', value: example } },
  },
  refusals: ['NOT_FOUND'],
  handle: async (request) => {
    const { ctx, caller, params } = request
    const id = idOf(request)
    const found = id && (await getBeneficiary(ctx.db, caller.organization.organizationId, id))
    if (!found) return refuseUnknownBeneficiary(params.beneficiaryId ?? '')
    return json(200, await presented(ctx, found))
  },
}

const ListQuery = Type.Object(PAGE_QUERY)

export const listBeneficiariesOperation: Operation = {
  method: 'GET',
  path: '/beneficiaries',
  operationId: 'listBeneficiaries',
  tag: TAG,
  summary: 'List the beneficiary book',
  description: 'Newest first, in pages like those of payins.',
  access: { scope: 'payouts:read', shown: 'apiKey' },
  query: ListQuery,
  success: {
    status: 200,
    description: 'A page of the book.',
    schema: BeneficiaryList,
    examples: {
      page: {
        summary: 'A page',
        value: {
          data: [example],
          pageInfo: { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null },
        },
      },
    },
  },
  refusals: ['INVALID_INPUT', 'CURSOR_INVALID'],
  handle: async ({ ctx, caller, query }) => {
    const { cursor, pageSize } = query as Static<typeof ListQuery>
    const { organizationId } = caller.organization
    const page = await readPage(
      { ...beneficiaryList(ctx.db, organizationId, {}), idOf: (one: Beneficiary) => one.beneficiaryId },
      { key: ctx.settings.keys.cursor, context: `beneficiaries ${organizationId} {}` },
      cursor,
      pageSize ?? PAGE_SIZE.default,
    )
    if (isRefusal(page)) return page
    const data = await Promise.all(page.rows.map((one) => presented(ctx, one)))
    return json(200, { data, pageInfo: page.pageInfo })
  },
}

export const deleteBeneficiaryOperation: Operation = {
  method: 'DELETE',
  path: '/beneficiaries/{beneficiaryId}',
  operationId: 'deleteBeneficiary',
  tag: TAG,
  summary: 'Delete an entry of the beneficiary book',
  description: 'Rows that were filled from it stay as they are.',
  access: { scope: 'payouts:write', shown: 'apiKey' },
  act: 'beneficiary.delete',
  params: BENEFICIARY_ID,
  success: {
    status: 200,
    description: 'It is gone.',
    schema: DeletedBeneficiary,
    examples: { gone: { summary: 'Gone', value: { id: example.id, deleted: true } } },
  },
  refusals: ['NOT_FOUND'],
  handle: async (request) => {
    const { ctx, caller, params } = request
    const id = idOf(request)
    if (id === undefined) return refuseUnknownBeneficiary(params.beneficiaryId ?? '')
    const gone = await deleteBeneficiary(ctx, caller.organization.organizationId, id)
    return isRefusal(gone) ? gone : json(200, { id: gone.beneficiaryId, deleted: true })
  },
}

// Samples: payments with a payer whose document tells the simulated networks how to end them.

import type { Operation } from '../../api/http/operation.ts'
import { createPayinOperation } from '../../api/payins/operations.ts'
import { createPayoutOperation } from '../../api/payouts/operations.ts'
import { type Html, html } from '../../core/html.ts'
import { amountField } from '../create/fields.ts'
import { bodyOf, type Field } from '../fields.ts'
import { scopeOf } from '../form.ts'
import { formFrame } from '../form-frame.ts'
import type { FormState } from '../form-state.ts'
import type { FormRoute } from '../route.ts'
import { may, type Visit } from '../visit.ts'
import { SANDBOX_WORDS } from './words.ts'

export const SAMPLES = ['breb', 'pse', 'payout'] as const
export type Sample = (typeof SAMPLES)[number]

const OPERATION: Readonly<Record<Sample, Operation>> = {
  breb: createPayinOperation,
  pse: createPayinOperation,
  payout: createPayoutOperation,
}

function fieldsOf(visit: Visit): Field[] {
  const words = SANDBOX_WORDS[visit.language].make
  return [
    amountField(visit, ['BRE_B'], {
      label: words.amount,
      value: visit.language === 'es' ? '50.000' : '50,000',
    }),
    {
      kind: 'select',
      path: '/inlineCustomer/idNumber',
      label: words.ending,
      value: '1000000001',
      options: Object.entries(words.endings).map(([value, label]) => ({ value, label })),
    },
  ]
}

// The key of the form is in the reference, so that a second click makes nothing new.
function bodyFrom(visit: Visit, sample: Sample, typed: URLSearchParams): Record<string, unknown> {
  const { inlineCustomer, ...body } = bodyOf(fieldsOf(visit), typed)
  const key = (typed.get('_key') ?? '').slice(-12)
  const ways = {
    breb: { rail: 'BRE_B', breb: { keyType: 'QR_CODE' } },
    pse: { rail: 'PSE', pse: { bank: 'CO_BANCO_DE_PRUEBAS', personType: 'INDIVIDUAL' } },
    payout: { rail: 'BRE_B', breb: { keyString: '@ANAGOMEZ' } },
  }
  return {
    ...body,
    ...ways[sample],
    currency: 'COP',
    reference: `prueba-${sample}-${key}`,
    inlineCustomer: {
      name: SANDBOX_WORDS[visit.language].make.name,
      idType: 'CO_CC',
      phone: '+573001234567',
      email: 'ana@example.com',
      ...(inlineCustomer as object),
    },
  }
}

export function sampleForm(visit: Visit, form: FormState): Html {
  const words = SANDBOX_WORDS[visit.language].make
  const others = SAMPLES.slice(1).map(
    (sample) =>
      html` <button class="button" formaction="${visit.home}/sandbox/samples/${sample}"${!may(visit, scopeOf(OPERATION[sample])) && html` disabled title="${visit.words.rights[scopeOf(OPERATION[sample])]}"`}>${words[sample]}</button>`,
  )
  return formFrame(visit, form, {
    action: '/sandbox/samples/breb',
    operation: createPayinOperation,
    fields: fieldsOf(visit),
    submit: words.breb,
    also: html`${others}`,
    call: {
      body: bodyFrom(visit, 'breb', new URLSearchParams({ '/amountInCents': '50000', _key: form.key })),
    },
  })
}

export function sampleRoute(sample: Sample, again: FormRoute['again']): FormRoute {
  return {
    method: 'POST',
    path: `/sandbox/samples/${sample}`,
    operation: OPERATION[sample],
    only: 'staging',
    call: (visit, typed) => ({ body: bodyFrom(visit, sample, typed) }),
    done: (_visit, answer) =>
      `/${sample === 'payout' ? 'payouts' : 'payins'}/${(answer as { id: string }).id}`,
    again,
  }
}

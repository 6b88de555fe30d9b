// A route of the console. Reading pages name the scope that they need. A form names the operation of the API that it runs, and can
// do nothing else; only what concerns the person alone, such as a saved view, needs none.

import type { Operation } from '../api/http/operation.ts'
import type { Scope } from '../core/organizations/scope.ts'
import type { Environment } from '../flows/context.ts'
import type { Change, FormCall, FormState } from './form-state.ts'
import type { Page, SeeOther, Sent } from './page.ts'
import type { Visit } from './visit.ts'

export type PageRoute = {
  readonly method: 'GET'
  // After /console/:organizationId.
  readonly path: string
  // Null: whoever belongs to the organization.
  readonly scope: Scope | null
  // Elsewhere there is nothing at this address.
  readonly only?: Environment
  // Open for as long as the browser listens.
  readonly isStream?: true
  // Undefined if there is nothing at this address. `sent`: it has answered by itself, with a file or a stream.
  readonly show: (visit: Visit) => Promise<Page | SeeOther | Sent | undefined>
}

export type FormRoute = {
  readonly method: 'POST'
  readonly path: string
  readonly operation: Operation
  readonly only?: Environment
  // What was typed, as a call of the operation.
  readonly call: (visit: Visit, typed: URLSearchParams) => FormCall | Promise<FormCall>
  // After it was done: where to go on, after `visit.home`; or a page, where the answer is shown once, such as a secret.
  readonly done: (
    visit: Visit,
    answer: unknown,
    typed: URLSearchParams,
  ) => string | Page | Promise<string | Page>
  // The page with the form, with everything that was typed and what is wrong with it. Undefined if its object is gone.
  readonly again: (visit: Visit, form: FormState) => Promise<Page | undefined>
  // Whether it takes files, each of which becomes a data URI under its field's name.
  readonly takesFiles?: true
  // For money and credentials: the person must have proved lately that it is them.
  readonly stepUp?: true
  // Before it is run: the page on which the person reads over what they are about to do, and sends it for good. It is shown once
  // the operation finds nothing wrong with what was typed.
  readonly review?: (visit: Visit, form: FormState) => Promise<Page | undefined>
  // What somebody else has changed since the form was opened. If anything, the form is shown again and says what.
  readonly changedMeanwhile?: (visit: Visit, typed: URLSearchParams) => Promise<readonly Change[]>
}

// A write that concerns the person alone, or that is written down in the audit log and changes nothing else.
export type OwnRoute = {
  readonly method: 'POST'
  readonly path: string
  readonly scope: Scope | null
  readonly own: 'saved view' | 'shown person'
  readonly act: (visit: Visit, typed: URLSearchParams) => Promise<SeeOther | Page | undefined>
}

export type Route = PageRoute | FormRoute | OwnRoute

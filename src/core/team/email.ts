// The e-mail address by which a person signs in, in the one form in which it is stored and compared. Mail goes to this form too:
// never to another spelling that somebody typed.

import { isEmail } from '../contact.ts'

// Longer than any address before it is put into form.
const LONGEST_TYPED = 400
// Characters that nobody sees make one address look like another.
const INVISIBLE = /[\p{Cf}\p{Cn}\p{Co}\p{Mn}\p{Me}]/u

// Undefined if it is none.
export function accountEmail(typed: string): string | undefined {
  if (typed.length > LONGEST_TYPED) return undefined
  const email = typed.trim().toLowerCase().normalize('NFC')
  return isEmail(email) && !INVISIBLE.test(email) ? email : undefined
}

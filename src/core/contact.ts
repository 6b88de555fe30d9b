// What counts as printable text, an e-mail address and a phone number, wherever a person's contact details are given.

export const NAME_MAX_LENGTH = 120
export const EMAIL_MAX_LENGTH = 254

export function isPhone(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text)
}

export function isEmail(text: string): boolean {
  return text.length <= EMAIL_MAX_LENGTH && EMAIL.test(text) && isPrintable(text)
}

// One address in two spellings is the same mailbox. The first spelling stays.
export function distinctEmails(emails: readonly string[]): string[] {
  const mailboxes = emails.map((email) => email.toLowerCase())
  return emails.filter((email, at) => mailboxes.indexOf(email.toLowerCase()) === at)
}

export function isPrintable(text: string): boolean {
  return !UNPRINTABLE.test(text) && text.isWellFormed()
}

const EMAIL =
  /^[^\s@"(),:;<>[\\\]]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}][\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u
// C0, DEL and C1 controls, line separators, and marks that change the text direction, which can disguise names.
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/

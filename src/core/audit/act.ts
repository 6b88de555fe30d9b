// Every act that is audited, and whose: of people alone, where keys do the same thousands of times a second and the request log
// has them, or of everyone. An act begins with the kind of thing that it is done to.

export const ACTS = {
  'payin.create': 'people',
  'payin.cancel': 'everyone',
  'payin.simulate': 'everyone',
  'payout.create': 'people',
  'payout.cancel': 'everyone',
  'payout.simulate': 'everyone',
  // It was held back after a restore, and goes on.
  'payout.release': 'everyone',
  'refund.create': 'everyone',
  'refund.cancel': 'everyone',
  // The payer has named a key on our page.
  'refund.claim': 'everyone',
  'refund.release': 'everyone',
  'payoutbatch.create': 'everyone',
  'payoutbatch.change': 'people',
  'payoutbatch.leaveout': 'people',
  'payoutbatch.check': 'people',
  'payoutbatch.submit': 'everyone',
  'payoutbatch.cancel': 'everyone',
  // Its failed rows are in another batch now.
  'payoutbatch.retry': 'everyone',
  'payoutbatch.release': 'everyone',
  'beneficiary.write': 'everyone',
  'beneficiary.delete': 'everyone',
  'paymentlink.create': 'people',
  'paymentlink.expire': 'everyone',
  'paymentpage.create': 'everyone',
  'paymentpage.change': 'everyone',
  'paymentpage.close': 'everyone',
  'brebkey.lookup': 'people',
  'event.redeliver': 'everyone',
  'webhook.create': 'everyone',
  'webhook.change': 'everyone',
  'webhook.delete': 'everyone',
  'webhook.verify': 'everyone',
  'webhook.rotate': 'everyone',
  'webhook.test': 'everyone',
  'webhook.recover': 'everyone',
  // An address that shows deliveries to whoever has it.
  'portallink.create': 'everyone',
  'connection.create': 'everyone',
  'connection.change': 'everyone',
  'connection.delete': 'everyone',
  'connection.test': 'everyone',
  // Money that was put into the account at the provider, or taken out.
  'movement.deposit': 'everyone',
  'movement.withdraw': 'everyone',
  'organization.create': 'everyone',
  'organization.change': 'everyone',
  'organization.limits': 'everyone',
  'organization.charges': 'everyone',
  'apikey.create': 'everyone',
  'apikey.change': 'everyone',
  'apikey.roll': 'everyone',
  'apikey.revoke': 'everyone',
  'apikey.limits': 'everyone',
  'client.create': 'everyone',
  'client.change': 'everyone',
  'client.roll': 'everyone',
  'client.revoke': 'everyone',
  'client.limits': 'everyone',
  'member.role': 'everyone',
  'member.remove': 'everyone',
  'member.signout': 'everyone',
  'invitation.create': 'everyone',
  'invitation.revoke': 'everyone',
  'invitation.accept': 'everyone',
  // How somebody signs in: their own acts, and an operator's for them.
  'user.signin': 'everyone',
  'user.signout': 'everyone',
  // Entries name them: who was called so before can be told.
  'user.name': 'everyone',
  'user.password': 'everyone',
  'user.app': 'everyone',
  'user.codes': 'everyone',
  'user.passkey': 'everyone',
  // Their account at the company signs them in from now on.
  'user.company': 'everyone',
  'user.signinlink': 'everyone',
  'user.reset': 'everyone',
  'approval.submit': 'everyone',
  'approval.approve': 'everyone',
  'approval.refuse': 'everyone',
  'approval.void': 'everyone',
  'approval.lapse': 'everyone',
  // Who must approve what.
  'approvalrule.change': 'everyone',
  'suspense.return': 'everyone',
  'suspense.attach': 'everyone',
  'suspense.release': 'everyone',
  'suspense.note': 'everyone',
  'alarm.take': 'everyone',
  'alarm.resolve': 'everyone',
  'customer.erase': 'everyone',
  // A person whose role sees people masked has looked at one.
  'customer.show': 'everyone',
  'reconciliation.run': 'everyone',
  // Asked for before it is done by itself.
  'day.close': 'everyone',
  'clock.advance': 'everyone',
  'signingkey.rotate': 'everyone',
  'secretskey.rotate': 'everyone',
  // What was done between the backup and the restore is in no log of ours.
  'database.restore': 'everyone',
  // What may have been paid meanwhile waits.
  'database.hold': 'everyone',
} as const satisfies Readonly<Record<`${string}.${string}`, 'people' | 'everyone'>>

export type Act = keyof typeof ACTS
export const ACT_NAMES = Object.keys(ACTS) as Act[]

export type ObjectKind = Act extends infer Name
  ? Name extends `${infer Kind}.${string}`
    ? Kind
    : never
  : never

export function objectKindOf(act: Act): ObjectKind {
  return act.slice(0, act.indexOf('.')) as ObjectKind
}

export function isAuditedFor(act: Act, actorKind: string): boolean {
  return ACTS[act] === 'everyone' || actorKind === 'person'
}

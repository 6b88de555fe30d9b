// Whom a payment is about: the payer of a payin, the receiver of a payout.

export type Customer = {
  readonly name: string
  readonly idType: string
  readonly idNumber: string
  readonly phone: string
  readonly email: string
}

export type Receiver = {
  readonly customer: Customer
  // In canonical form: look-ups, budgets and the network use this.
  readonly keyString: string
  // As the merchant wrote it.
  readonly keyStringSent: string
}

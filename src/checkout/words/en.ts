// The same texts in English, for payers whose browser prefers it. Names of Colombian things stay in Spanish.

import type { Words } from './es.ts'
import { withFullStop } from './format.ts'

export const en: Words = {
  locale: 'en',
  otherLanguage: { code: 'es', locale: 'es-CO', name: 'Español' },
  ribbon: 'Test environment: no real money moves here.',
  previewTitle: (amount, merchant) => `Payment of ${amount} to ${merchant}`,
  previewText: (reference) => `Reference: ${reference}`,
  reference: 'Reference',
  promise: 'We never ask for your bank passwords or codes.',
  poweredBy: 'Payment page by Recaudo.',
  until: (deadline) => `You can pay until ${deadline} (Colombia time).`,
  timeLeft: 'Time left:',
  wait: 'One moment…',

  rails: {
    BRE_B: {
      name: 'Bre-B',
      hint: 'With a key or QR code, from your bank or wallet app. It takes seconds and needs none of your details.',
    },
    PSE: { name: 'PSE', hint: 'PSE bank debit: you authorize the payment on your bank’s page.' },
  },

  choose: {
    title: 'Choose how to pay',
    titleOne: (rail) => `Pay with ${rail}`,
    bank: 'Your bank',
    pickBank: 'Choose your bank',
    mostUsed: 'Most used',
    otherBanks: 'Other banks',
    testBanks: 'Test banks',
    payer: 'Your details',
    name: 'Full name or company name',
    idType: 'Document type',
    pickIdType: 'Choose the type',
    idNumber: 'Document number',
    phone: 'Mobile phone',
    phoneHint: 'For example, 300 123 4567',
    email: 'Email',
    consent: (merchant) =>
      `By continuing, you allow ${merchant} and the banks involved to use your details for this payment (Colombian Law 1581 of 2012).`,
    notYet: 'No money moves yet: you authorize the payment at your bank or wallet.',
    submit: 'Continue',
    submitOne: { BRE_B: 'Show the key and QR code', PSE: 'Pay with PSE' },
  },
  idTypes: {
    CO_CC: 'Cédula de ciudadanía',
    CO_CE: 'Cédula de extranjería',
    CO_NIT: 'NIT (company)',
    PASSPORT: 'Passport',
    MXN_RFC: 'RFC (Mexico)',
  },
  errors: {
    summary: (count) => (count === 1 ? 'Please fix this field' : `Please fix these ${count} fields`),
    rail: 'Choose how you want to pay.',
    bank: 'Choose your bank from the list.',
    bankNotEnabled: 'That bank isn’t available right now. Please choose another.',
    fixedBankNotEnabled: (bank) =>
      `${bank} isn’t available right now. No money moved. Try again later, or contact the merchant.`,
    name: 'Enter your full name, using letters only.',
    nameLong: 'The name can be up to 120 characters long.',
    idType: 'Choose the document type.',
    idNumber: 'Enter your document number, using only letters, digits, dots or hyphens.',
    idNumberDigits: 'A cédula number has 3 to 10 digits.',
    checkDigit: 'The NIT’s check digit doesn’t match. Please check the number.',
    phone: 'Enter a 10-digit mobile number, or one with + and the country code.',
    email: 'Enter an email address such as name@example.com.',
    terms: 'Check the box to accept the terms and authorize the processing of your data.',
    termsChanged: 'The terms changed after you opened this page. Please read and accept them again.',
    railNotAvailable: 'That payment method isn’t available right now. No money moved.',
  },
  terms: {
    read: (provider) =>
      `${provider} processes this PSE payment. Read these documents, which open in a new tab:`,
    links: {
      conditions: (provider) => `Terms and conditions of ${provider}`,
      'personal-data': (provider) => `Processing of personal data by ${provider}`,
    },
    accept: (provider) =>
      `I accept the terms and conditions of ${provider} and authorize the processing of my personal data, as these documents explain.`,
  },
  away: {
    title: 'The connection to the banks isn’t available right now',
    text: 'No payment was started and nothing is lost. No money moved. Wait a moment and try again.',
  },

  breb: {
    howToPay: 'How to pay',
    steps: (merchant, hasQr) => [
      'Open your bank or wallet app and go to Bre-B.',
      `Paste the copied key and enter the exact amount${hasQr ? ', or use the QR code' : ''}.`,
      `Check that the payment is for ${merchant}, then confirm it.`,
    ],
    qr: (amount, merchant) => `QR code to pay ${amount} to ${merchant} with Bre-B`,
    saveQr: 'Save',
    shareQr: 'Share',
    theQr: 'the QR code',
    key: 'Key',
    amount: 'Exact amount',
    copyKey: 'Copy key',
    copy: 'Copy',
    copied: 'Copied',
    recipient: 'Your app will show you’re paying:',
    notAPassword: 'The key is not a password. It only identifies who you’re paying.',
    registering: 'We’re registering the key…',
    registeringText:
      'You’ll be able to pay in a few seconds: the key and QR code will appear here. No money has moved yet. This page updates by itself.',
    waiting: 'Waiting for your payment: no money has arrived yet. This page updates by itself when it does.',
  },
  open: {
    paid: 'I’ve paid',
    checking: 'Checking…',
    checked: 'We don’t see your payment yet. It can take a few minutes. If you’ve paid, don’t pay again.',
    other: 'Pay another way',
    otherHint: 'Only do this if you haven’t paid yet.',
    tooLate:
      'This payment is still in progress and can’t be changed for now. If you’re on your bank’s page, finish there; you’ll see the result here.',
  },
  bank: {
    yourBank: 'your bank',
    preparing: (bank) => `Connecting to ${bank}`,
    preparingText:
      'We’re preparing your PSE payment. In a few seconds we’ll take you to your bank’s page. No money has moved yet.',
    preparingKey: 'Preparing your key',
    preparingKeyText: 'You’ll be able to pay in a few seconds. No money has moved yet.',
    forward: (bank) => `Taking you to ${bank}`,
    forwardText: 'One moment. If nothing happens, press the button. No money has moved yet.',
    go: (bank) => `Go to ${bank}`,
    open: 'You have an open PSE payment',
    openText: (bank) =>
      `You started it with ${bank} and we don’t know yet whether money left your account. If you didn’t finish, continue on your bank’s page. If you’ve paid, don’t pay again: you’ll see the result here in a few minutes.`,
    unfinished: 'Didn’t finish paying?',
    continue: (bank) => `Continue at ${bank}`,
  },
  confirming: {
    title: 'Your bank is confirming the payment',
    titleBreb: 'We’re confirming your payment',
    unsure: 'We don’t know yet whether money left your account. If you’ve paid, don’t pay again.',
    overdue: 'The time to pay is up, and we don’t know yet whether money left your account. Don’t pay again.',
    verify: 'Please check with your bank whether the debit was made.',
    live: 'This page updates by itself. You can also close it and come back with the same link.',
    check: 'Check now',
  },

  result: {
    approved: 'Payment approved',
    approvedText: (amount, merchant) => `${merchant} received your payment of ${amount}.`,
    mailed: 'PSE usually emails you a confirmation.',
    reversed: 'This payment was reversed',
    reversedPart: 'A part of this payment was reversed',
    reversedText: (amount, date, merchant) =>
      `The network returned ${amount} on ${date}, so ${merchant} no longer has that money. If you think this is a mistake, write to them.`,
    alreadyPaid: 'This has already been paid',
    alreadyPaidOn: (date) => `It was paid on ${date}`,
    alreadyPaidText: 'You don’t need to pay again.',
    declined: 'The payment was not approved',
    canceled: 'Payment canceled',
    lapsed: 'This attempt has timed out',
    expired: 'This payment request has expired',
    expiredOn: (date) => `The deadline was ${date}`,
    endedEarly: (merchant) => `${merchant} closed this payment request`,
    endedEarlyOn: (date) => `It was closed before its deadline, on ${date}`,
    expiredText: (merchant) => `Ask ${merchant} for a new link if you still want to pay.`,
    unavailable: 'This can’t be paid right now',
    unavailableText: (merchant) =>
      `${merchant} has no payment method enabled for this amount. Contact them to pay another way.`,
    retry: 'Try again',
    stillClosing:
      'The bank hasn’t closed this attempt yet, so you can’t start another for now. If the bank’s page is still open, don’t pay there. This page updates by itself.',
    finalText: (merchant) => withFullStop(`To try again, go back to ${merchant}`),
    back: (merchant) => `Back to ${merchant}`,
    returning: 'Going back to the merchant in #\u00a0s.',
    stay: 'Stay here',
    close: 'You can close this page now.',
    print: 'Print receipt',
    printDetails: 'Print',
  },
  money: {
    none: 'No money moved.',
    unsure:
      'We don’t know whether money left your account. Please check with your bank whether the debit was made before you try again.',
    mismatch: (arrived, due) => `${arrived} arrived, but the payment is for ${due}.`,
    held: (merchant) =>
      `If the money left your account, it is safe, but it was not applied to this payment. Contact ${merchant} to get it back. If you try again, pay the exact amount.`,
    late: (merchant) =>
      `No money arrived in time. If you paid late, don’t pay again: contact ${merchant} and show them this page.`,
  },
  reasons: {
    EXPIRED: 'The time to pay is up.',
    CANCELED_BY_PAYER: 'You canceled this payment.',
    CANCELED_BY_MERCHANT: 'The merchant canceled this payment.',
    AMOUNT_MISMATCH: 'The amount that arrived is not the amount due.',
    INSUFFICIENT_FUNDS: 'There wasn’t enough money in the account. You can use another account.',
    ACCOUNT_INVALID: 'Your bank found no active account for this payment. You can use another one.',
    ACCOUNT_BLOCKED: 'The account is blocked from making payments. You can use another one.',
    LIMIT_EXCEEDED:
      'The amount is over your account’s limit. Raise the limit at your bank, or use another account.',
    AUTHENTICATION_FAILED: 'Your bank couldn’t confirm it was you. Check your details and try again.',
    BANK_UNAVAILABLE:
      'The bank can’t be reached to start the payment. Choose another one, or try again later.',
    BANK_DECLINED:
      'Your bank didn’t authorize the payment and didn’t say why. Ask your bank, or use another account.',
    RISK_REJECTED:
      'The payment didn’t pass the security checks. Use another account or contact the merchant.',
    RAIL_ERROR: 'Something went wrong in the payment network.',
  },

  contact: (merchant) => `Questions? Contact ${merchant}:`,
  receipt: {
    signed: 'View verifiable receipt',
    title: 'Receipt',
    unpaidTitle: 'Details of this attempt',
    merchant: 'Merchant',
    taxId: 'NIT',
    status: 'Status',
    method: 'Payment method',
    bank: 'Bank',
    cus: 'CUS',
    atProvider: (title: string) => `${title} number`,
    transfer: 'Transfer number',
    key: 'Key',
    description: 'Description',
    ticket: 'Transaction number',
    date: 'Date',
    amount: 'Amount',
    contact: 'Merchant contact',
  },
  statuses: {
    PENDING: 'Pending',
    PROCESSING: 'Pending',
    CONFIRMED: 'Approved',
    DECLINED: 'Declined',
    CANCELED: 'Canceled',
  },

  problem: {
    notFound: 'This link doesn’t exist',
    notFoundText:
      'Check that it’s complete, or ask the merchant to send it again. No money moved through this link.',
    unreadable: 'We couldn’t read what you sent',
    unreadableText: 'No money moved. Go back to the payment page and try again.',
    broken: 'We can’t open your payment right now',
    brokenText:
      'If you’ve paid, your payment is still going through: don’t pay again. Open the link again in a minute.',
    tooFast: 'One moment, please',
    tooFastText:
      'We received many requests in a row. Nothing is lost: if you’ve paid, your payment is still going through. Open your payment again in a minute.',
    reload: 'Open again',
  },
}

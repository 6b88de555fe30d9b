// The banks a payer can choose on PSE. A code never changes when a bank is renamed: the new name is shown and the old
// code stays an alias. This is the seed for the network's daily list. It lists only entities seen in a PSE list. Those
// seen only in lists of payout accounts (Bancoldex, BNP Paribas, Banco W, Mibanco, BTG Pactual) or under a derived number
// (Pibank) may not be on PSE, and a payer sent to a bank that is not there cannot pay. Some of these have a code in other
// services. A merchant may name them, but we do not offer them to payers.

export type PseBank = {
  code: string
  name: string
  // The bank's number in the network. Null if we do not know it: the network then finds the bank by its code or refuses.
  achCode: string | null
  aliases: readonly string[]
  mostUsed: boolean
  // False: accepted from a merchant who names it, and not offered to payers.
  isListed: boolean
  testOnly: boolean
}

/** Every bank that payers are offered, A to Z by name; the network requires that order on the page. */
export function pseBanks(includeTest: boolean): readonly PseBank[] {
  return includeTest ? ALL_BANKS : REAL_BANKS
}

/** The bank with this code or alias. Codes are upper case, as they are published. */
export function findPseBank(code: string, includeTest: boolean): PseBank | undefined {
  const bank = BANK_BY_CODE.get(code)
  return bank?.testOnly && !includeTest ? undefined : bank
}

/** The bank with this number in the network, as providers name banks. */
export function findPseBankByAchCode(achCode: string, includeTest: boolean): PseBank | undefined {
  const bank = BANK_BY_ACH_CODE.get(achCode)
  return bank?.testOnly && !includeTest ? undefined : bank
}

type Row = {
  achCode: string | null
  name: string
  alsoKnownAs?: string[]
  mostUsed?: true
  testOnly?: true
  unlisted?: true
}

const TABLE: Record<string, Row> = {
  CO_BANCO_DE_BOGOTA: { achCode: '1001', name: 'Banco de Bogotá', mostUsed: true },
  CO_BANCO_POPULAR: { achCode: '1002', name: 'Banco Popular' },
  CO_ITAU: {
    achCode: '1006',
    name: 'Itaú',
    // Corpbanca and Helm Bank (once 1014 on PSE) are Itaú today.
    alsoKnownAs: ['CO_CORPBANCA', 'CO_ITAU_CORPBANCA', 'CO_HELM_BANK', 'CO_HELM'],
  },
  CO_BANCOLOMBIA: { achCode: '1007', name: 'Bancolombia', mostUsed: true },
  CO_CITIBANK: { achCode: '1009', name: 'Citibank' },
  CO_GNB_SUDAMERIS: { achCode: '1012', name: 'Banco GNB Sudameris' },
  CO_BBVA: { achCode: '1013', name: 'BBVA Colombia', alsoKnownAs: ['CO_BBVA_COLOMBIA'], mostUsed: true },
  CO_SCOTIABANK_COLPATRIA: { achCode: '1019', name: 'Scotiabank Colpatria', alsoKnownAs: ['CO_COLPATRIA'] },
  CO_BANCO_DE_OCCIDENTE: { achCode: '1023', name: 'Banco de Occidente' },
  CO_BANCO_CAJA_SOCIAL: { achCode: '1032', name: 'Banco Caja Social', mostUsed: true },
  CO_BANCO_AGRARIO: { achCode: '1040', name: 'Banco Agrario', alsoKnownAs: ['CO_BANCO_AGRARIO_DE_COLOMBIA'] },
  CO_BANCO_MUNDO_MUJER: { achCode: '1047', name: 'Banco Mundo Mujer' },
  CO_DAVIVIENDA: { achCode: '1051', name: 'Davivienda', mostUsed: true },
  CO_AV_VILLAS: { achCode: '1052', name: 'Banco AV Villas' },
  // Listed beside 1558, its successor, so it keeps its own code.
  CO_BANCO_PROCREDIT: { achCode: '1058', name: 'Banco ProCredit' },
  CO_BANCAMIA: { achCode: '1059', name: 'Bancamía' },
  CO_BANCO_PICHINCHA: { achCode: '1060', name: 'Banco Pichincha' },
  CO_BANCOOMEVA: { achCode: '1061', name: 'Bancoomeva', alsoKnownAs: ['CO_COOMEVA'] },
  CO_BANCO_FALABELLA: { achCode: '1062', name: 'Banco Falabella' },
  CO_BANCO_FINANDINA: { achCode: '1063', name: 'Banco Finandina' },
  CO_BANCO_SANTANDER: {
    achCode: '1065',
    name: 'Banco Santander',
    alsoKnownAs: ['CO_BANCO_SANTANDER_COLOMBIA'],
  },
  CO_COOPCENTRAL: {
    achCode: '1066',
    name: 'Banco Cooperativo Coopcentral',
    // Its digital bank is the same entity.
    alsoKnownAs: ['CO_BANCO_COOPERATIVO_COOPCENTRAL', 'CO_COOPCENTRAL_DIGITAL'],
  },
  CO_BANCO_SERFINANZA: { achCode: '1069', name: 'Banco Serfinanza' },
  CO_LULO_BANK: { achCode: '1070', name: 'Lulo Bank', alsoKnownAs: ['CO_LULO'] },
  CO_JP_MORGAN: { achCode: '1071', name: 'J.P. Morgan Colombia', alsoKnownAs: ['CO_JP_MORGAN_COLOMBIA'] },
  CO_DALE: { achCode: '1097', name: 'Dale!' },
  CO_RAPPIPAY_DAVIPLATA: { achCode: '1151', name: 'RappiPay Daviplata' },
  CO_CFA: { achCode: '1283', name: 'CFA Cooperativa Financiera' },
  CO_JFK: { achCode: '1286', name: 'JFK Cooperativa Financiera' },
  CO_COTRAFA: { achCode: '1289', name: 'Cotrafa Cooperativa Financiera' },
  CO_COOFINEP: { achCode: '1291', name: 'Coofinep Cooperativa Financiera' },
  CO_CONFIAR: { achCode: '1292', name: 'Confiar Cooperativa Financiera' },
  CO_BANCO_UNION: { achCode: '1303', name: 'Banco Unión', alsoKnownAs: ['CO_GIROS_Y_FINANZAS'] },
  CO_COLTEFINANCIERA: { achCode: '1370', name: 'Coltefinanciera' },
  CO_NEQUI: { achCode: '1507', name: 'Nequi', mostUsed: true },
  CO_DAVIPLATA: { achCode: '1551', name: 'Daviplata', mostUsed: true },
  CO_BAN100: { achCode: '1558', name: 'Ban100', alsoKnownAs: ['CO_CREDIFINANCIERA'] },
  CO_IRIS: { achCode: '1637', name: 'Iris' },
  CO_MOVII: { achCode: '1801', name: 'Movii' },
  CO_UALA: { achCode: '1804', name: 'Ualá' },
  CO_NU: { achCode: '1809', name: 'Nu', alsoKnownAs: ['CO_NU_COLOMBIA', 'CO_NUBANK'], mostUsed: true },
  CO_RAPPIPAY: { achCode: '1811', name: 'RappiPay' },
  CO_ALIANZA_FIDUCIARIA: { achCode: '1815', name: 'Alianza Fiduciaria', alsoKnownAs: ['CO_ALIANZA'] },
  CO_CREZCAMOS: { achCode: '1816', name: 'Crezcamos' },
  // Codes that other services have. These two numbers are from lists of payout accounts …
  CO_FINANCIERA_JURISCOOP: {
    achCode: '1121',
    name: 'Financiera Juriscoop',
    alsoKnownAs: ['CO_JURISCOOP'],
    unlisted: true,
  },
  CO_DING: { achCode: '1802', name: 'Ding', unlisted: true },
  // … these are derived from the three-digit number for transfers …
  CO_POWWI: { achCode: '1803', name: 'Powwi', unlisted: true },
  CO_BOLD_CF: { achCode: '1808', name: 'Bold CF', alsoKnownAs: ['CO_BOLD'], unlisted: true },
  CO_COINK: { achCode: '1812', name: 'Coink', unlisted: true },
  CO_SANTANDER_CONSUMER: { achCode: '1813', name: 'Santander Consumer', unlisted: true },
  CO_GLOBAL66: { achCode: '1814', name: 'Global66', unlisted: true },
  // … and these are in no list that we trust.
  CO_ACCION_FIDUCIARIA: { achCode: null, name: 'Acción Fiduciaria', unlisted: true },
  CO_ADDI_CF: { achCode: null, name: 'Addi CF', alsoKnownAs: ['CO_ADDI'], unlisted: true },
  CO_BANKA: { achCode: null, name: 'Banka', unlisted: true },
  CO_PAYCASH: { achCode: null, name: 'Paycash', unlisted: true },
  CO_SUPERDIGITAL: { achCode: null, name: 'Superdigital', unlisted: true },
  // The number of the test bank in the network's own test environments.
  CO_BANCO_DE_PRUEBAS: { achCode: '1022', name: 'Banco de Pruebas', testOnly: true },
}

const KNOWN_BANKS: readonly PseBank[] = Object.entries(TABLE)
  .map(([code, { achCode, name, alsoKnownAs = [], mostUsed = false, testOnly = false, unlisted }]) =>
    Object.freeze({
      code,
      name,
      achCode,
      aliases: aliasesOf(code, alsoKnownAs),
      mostUsed,
      isListed: unlisted !== true,
      testOnly,
    }),
  )
  .sort((a, b) => (plain(a.name) < plain(b.name) ? -1 : 1))
const ALL_BANKS: readonly PseBank[] = Object.freeze(KNOWN_BANKS.filter((bank) => bank.isListed))
const REAL_BANKS: readonly PseBank[] = Object.freeze(ALL_BANKS.filter((bank) => !bank.testOnly))
const BANK_BY_CODE = new Map(
  KNOWN_BANKS.flatMap((bank) => [bank.code, ...bank.aliases].map((code): [string, PseBank] => [code, bank])),
)
const BANK_BY_ACH_CODE = new Map(
  KNOWN_BANKS.flatMap((bank): [string, PseBank][] => (bank.achCode === null ? [] : [[bank.achCode, bank]])),
)

// Without accents and case. A collator would find the same order and takes long to load.
function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
}

/** Merchants write CO_BOGOTA for CO_BANCO_DE_BOGOTA and CO_BANCO_DAVIVIENDA for CO_DAVIVIENDA. We accept both. */
function aliasesOf(code: string, alsoKnownAs: string[]): readonly string[] {
  const spellings = [code, ...alsoKnownAs].flatMap((known) => {
    const bare = known.replace(/^CO_(BANCO_(DE_)?)?/, '')
    return [known, `CO_${bare}`, `CO_BANCO_${bare}`]
  })
  return Object.freeze([...new Set(spellings)].filter((spelling) => spelling !== code))
}

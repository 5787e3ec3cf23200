/** Options of the search. The site serializes the functions, so they cannot use other values of this file. */
export const searchOptions = {
  boost: { title: 4, text: 2 },
  // Lists explanations before error messages, requirements and changes.
  boostDocument: (id: string): number =>
    /\/(?:contract|changelog|troubleshooting)\b/.test(id) ? 0.2 : id.includes('/your-store/') ? 1.2 : 1,
  /** Adds the words of the pages to a word that readers search for. */
  processTerm: (term: string): string | string[] => {
    const synonyms: Readonly<Record<string, string>> = {
      auth: 'authentication',
      cancel: 'cancels',
      coupon: 'discounts',
      cron: 'bill',
      deploy: 'live container',
      double: 'retries',
      duplicate: 'retries double',
      duplicates: 'retries double',
      gdpr: 'personal data',
      k8s: 'container probes',
      kubernetes: 'container probes',
      login: 'sign token',
      mongodb: 'database',
      postgres: 'postgresql sqlite',
      price: 'money',
      prices: 'money',
      promo: 'discounts',
      refunds: 'refund',
      staging: 'copies',
      twice: 'retries',
      voucher: 'discounts',
    }
    const word = term.toLowerCase()
    const others = Object.hasOwn(synonyms, word) ? synonyms[word] : undefined
    return others === undefined ? word : [word, ...others.split(' ')]
  },
}

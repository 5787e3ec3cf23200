import { listMutants } from '../list-mutants.ts'
import { header } from '../messages.ts'

export const mutants = listMutants({
  answer: {
    'prices depend on the language': (answered, sent) =>
      header(sent, 'Accept-Language')?.startsWith('de')
        ? { ...answered, body: answered.body.replaceAll(/"price":(\d+)\.(\d+)/g, '"price":"$1,$2"') }
        : answered,
    'URLs of images contain the host of the proxy': (answered, sent) => {
      const host = header(sent, 'X-Forwarded-Host')
      return host === undefined ? answered : { ...answered, body: answered.body.replaceAll('localhost:3000', host) }
    },
  },
})

import { computed, defineComponent, h, ref } from 'vue'
import type { ExampleRequest, PageRequest } from '../adapt-markdown.ts'
import { openShop, renderLog } from './open-shop.ts'

/** Adds a Run button to an example request. The request is sent to a shop in the page, not to a server. */
export const RunRequest = defineComponent({
  props: { request: { type: String, required: true } },
  setup(props, { slots }) {
    const example: ExampleRequest = JSON.parse(props.request)
    const shop = openShop(example.shop)
    const text = ref(writeRequest(example))
    const response = ref('')
    const isOpen = ref(false)
    const rows = computed(() => text.value.split('\n').length + 1)

    async function run(): Promise<void> {
      isOpen.value = true
      try {
        const { status, body } = await shop.send(readRequest(text.value))
        response.value = `${status}\n${JSON.stringify(JSON.parse(body), null, 2)}`
      } catch (error) {
        response.value = `The request was not sent: ${error instanceof Error ? error.message : String(error)}`
      }
    }
    function reset(): void {
      shop.reset()
      text.value = writeRequest(example)
      response.value = ''
    }

    return () =>
      h('div', { class: 'run-request' }, [
        slots['default']?.(),
        isOpen.value &&
          h('textarea', {
            'aria-label': 'Request to run',
            rows: rows.value,
            spellcheck: false,
            value: text.value,
            onInput: (event: Event) => {
              if (event.target instanceof HTMLTextAreaElement) text.value = event.target.value
            },
          }),
        h('button', { type: 'button', onClick: run }, isOpen.value ? 'Run again' : 'Run in this page'),
        isOpen.value && h('button', { type: 'button', onClick: reset }, 'Reset the shop'),
        isOpen.value && h('pre', { 'aria-live': 'polite', tabindex: 0 }, response.value),
        isOpen.value && renderLog(shop.log.value),
      ])
  },
})

/** Returns a request as editable text: method and path on the first line, the body below. */
function writeRequest({ method, path, body }: PageRequest): string {
  return body === '' ? `${method} ${path}` : `${method} ${path}\n${body}`
}

function readRequest(text: string): PageRequest {
  const [first = '', ...rest] = text.trim().split('\n')
  const [method = 'GET', path = '/'] = first.split(' ')
  return { method, path, body: rest.join('\n') }
}

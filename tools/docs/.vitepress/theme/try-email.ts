import { defineComponent, h, nextTick, onBeforeUnmount, ref, useTemplateRef } from 'vue'
import { openShop, renderLog } from './open-shop.ts'
import type { SendToShop } from './page-shop.ts'

/** Replaces the image of an email with a working email, which sends its requests to a shop in the page. */
export const TryEmail = defineComponent({
  setup(_, { slots }) {
    const shop = openShop('email')
    const place = useTemplateRef<HTMLElement>('place')
    const isOpen = ref(false)
    const isTwice = ref(false)
    const problem = ref('')
    let remove: (() => void) | undefined

    const send: SendToShop = async (request) => {
      if (!isTwice.value || request.method === 'GET') return shop.send(request)
      const [first] = await Promise.all([shop.send(request), shop.send(request)])
      return first
    }
    async function open(): Promise<void> {
      try {
        const { renderEmail } = await import('./email.tsx')
        isOpen.value = true
        await nextTick()
        remove?.()
        if (place.value !== null) remove = renderEmail(place.value, send)
      } catch {
        problem.value = 'The email was not loaded. Check the network connection and try again.'
      }
    }
    async function reset(): Promise<void> {
      shop.reset()
      await open()
    }
    onBeforeUnmount(() => remove?.())

    return () =>
      h(
        'div',
        { class: 'run-request' },
        isOpen.value
          ? [
              h('div', { ref: 'place' }),
              h('label', [
                h('input', {
                  type: 'checkbox',
                  checked: isTwice.value,
                  onChange: () => (isTwice.value = !isTwice.value),
                }),
                ' Send each click twice',
              ]),
              h('button', { type: 'button', onClick: reset }, 'Reset the shop'),
              renderLog(shop.log.value),
            ]
          : [
              slots['default']?.(),
              h('button', { type: 'button', onClick: open }, 'Try the email in this page'),
              h('p', { role: 'status' }, problem.value),
            ],
      )
  },
})

/** Shows a message outside of the page. */
export function toast(text: string): void {
  document.querySelector('#toasts')?.append(text, document.createElement('br'));
}

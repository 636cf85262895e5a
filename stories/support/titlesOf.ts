/** The texts of the list on the screen, in their order. */
export function titlesOf(canvas: { getAllByRole(role: 'listitem'): HTMLElement[] }): (string | null)[] {
  return canvas.getAllByRole('listitem').map(item => item.textContent);
}

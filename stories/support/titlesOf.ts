/** The texts of the list on the screen, from top to bottom. */
export function titlesOf(canvas: { getAllByRole(role: 'listitem'): HTMLElement[] }): (string | null)[] {
  return canvas.getAllByRole('listitem').map(item => item.textContent);
}

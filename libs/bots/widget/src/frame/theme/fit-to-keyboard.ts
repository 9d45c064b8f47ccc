/** Keeps the chat above the on-screen keyboard if the browser overlays the keyboard instead of resizing the page. */
export function fitToKeyboard(): void {
  const viewport = window.visualViewport;
  if (!viewport) return;
  const fit = () => {
    // While the page is zoomed in, the visitor controls the visible part.
    const isCovered = viewport.scale === 1 && window.innerHeight - viewport.height > 1;
    const style = document.documentElement.style;
    if (isCovered) style.setProperty('--height', `${viewport.height}px`);
    else style.removeProperty('--height');
  };
  viewport.addEventListener('resize', fit);
}

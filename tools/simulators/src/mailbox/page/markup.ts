const LENS =
  '<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" aria-hidden="true"><circle cx="7" cy="7" r="4.6"/><path d="m10.5 10.5 4 4"/></svg>';
const LOGO =
  '<svg viewBox="0 0 28 28" aria-hidden="true"><rect width="28" height="28" rx="8" fill="#2f5be7"/><path d="M7 9.5h14v9.6H7z" fill="none" stroke="#fff" stroke-width="1.7" stroke-linejoin="round"/><path d="m7.3 10 6.7 5.3 6.7-5.3" fill="none" stroke="#fff" stroke-width="1.7" stroke-linejoin="round"/></svg>';
const TRAY =
  '<svg viewBox="0 0 56 56" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linejoin="round" aria-hidden="true"><path d="M9 31 15 13h26l6 18v12H9z"/><path d="M9 31h12l3 6h8l3-6h12"/></svg>';

export const MARKUP = `
<div class="bar">
  <h1 class="brand">${LOGO}<span>Heliograph <small>mailbox simulator</small></span></h1>
  <label class="search"><span class="sr">Search sender, recipient or subject</span>${LENS}
    <input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="Sender, recipient or subject"><kbd aria-hidden="true">/</kbd></label>
  <div class="state" id="state" role="status">…</div>
</div>
<main>
  <nav class="list" id="list" aria-label="Emails">
    <ul id="rows"></ul>
    <button class="older" id="older" hidden>Show older emails</button>
    <div class="empty" id="none" hidden>${TRAY}<b></b><span></span></div>
  </nav>
  <section class="pane" id="pane" aria-label="Email">
    <div class="empty" id="unchosen">${TRAY}<b>Nothing selected</b><span>Select an email with the mouse or the arrow keys.</span></div>
    <article class="mail" id="mail" hidden>
      <header>
        <button class="back" id="back"><span aria-hidden="true">←</span> All emails</button>
        <h2 id="subject" tabindex="-1"></h2>
        <div class="people">
          <div class="face" id="face" aria-hidden="true"></div>
          <dl>
            <dt>From</dt><dd id="from"></dd>
            <dt>To</dt><dd id="to"></dd>
            <dt>Date</dt><dd id="date"></dd>
            <dt>Return path</dt><dd class="path" id="path"></dd>
          </dl>
          <div class="acts">
            <button class="act" id="bounce" title="Send a delivery notification to the return path">Bounce</button>
            <button class="act" id="complain" title="Send an abuse report to the return path">Report spam</button>
          </div>
        </div>
        <ul class="files" id="files" aria-label="Attachments"></ul>
        <div class="tabs" role="tablist" aria-label="Parts of the email">
          <button role="tab" id="tab-html" aria-controls="body">HTML</button>
          <button role="tab" id="tab-text" aria-controls="body">Text</button>
          <button role="tab" id="tab-headers" aria-controls="body">Headers</button>
          <button role="tab" id="tab-raw" aria-controls="body">Raw</button>
          <button class="act" id="images" title="Load external images, including tracking pixels">Load images</button>
        </div>
      </header>
      <div class="body" id="body" role="tabpanel" tabindex="0"></div>
    </article>
  </section>
</main>
<div class="note" id="note" role="status" hidden></div>
`;

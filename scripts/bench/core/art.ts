/** What the pictures of the tests and of the benchmark show. */

/** A fox's head of flat shapes: straight edges, curves, a circle, thin lines. */
export const FOX = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240">
  <path d="M30 30 96 70h48l66-40-10 96-80 84-80-84z" fill="#e8702a"/>
  <path d="M44 52 80 76 52 104zM196 52 160 76 188 104z" fill="#3b2a25"/>
  <path d="M40 126c30-8 62 4 80 84l-80-84zM200 126c-30-8-62 4-80 84l80-84z" fill="#fff4e6"/>
  <circle cx="88" cy="116" r="11" fill="#241a17"/><circle cx="152" cy="116" r="11" fill="#241a17"/>
  <circle cx="92" cy="112" r="3.5" fill="#ffffff"/><circle cx="156" cy="112" r="3.5" fill="#ffffff"/>
  <path d="M106 184h28l-14 24z" fill="#241a17"/>
</svg>`;

export const BADGE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 160">
  <circle cx="80" cy="80" r="72" fill="#1da1f2"/><circle cx="80" cy="80" r="58" fill="#ffffff"/>
  <path d="M80 34 92 66l34 2-27 21 9 33-28-19-28 19 9-33-27-21 34-2z" fill="#f5a623"/>
</svg>`;

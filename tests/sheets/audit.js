// What an accessibility check asks of a page; the answer is a list of faults.
(() => {
  const faults = [];
  const say = (what, node) => faults.push(what + ": " + (node ? node.outerHTML.slice(0, 120) : ""));
  const shown = (node) => node.checkVisibility({ visibilityProperty: true }) && node.getClientRects().length > 0;
  if (!document.documentElement.lang) say("no language");
  if (!document.title.trim()) say("no title");
  if (document.querySelectorAll("h1").length !== 1) say("not one h1");
  if (!document.querySelector("main")) say("no main");
  let level = 0;
  document.querySelectorAll("h1, h2, h3, h4, h5, h6").forEach((heading) => {
    if (!shown(heading) || heading.closest("[aria-hidden=true]")) return;
    const now = Number(heading.tagName[1]);
    if (now > level + 1) say("a level of headings left out", heading);
    if (!heading.textContent.trim()) say("an empty heading", heading);
    level = now;
  });
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  ids.filter((id, i) => ids.indexOf(id) !== i).forEach((id) => say("an id twice: " + id));
  document.querySelectorAll("a[href^='#']").forEach((link) => {
    if (!document.getElementById(decodeURIComponent(link.hash.slice(1)))) say("a dangling link", link);
  });
  document.querySelectorAll("img").forEach((image) => { if (!image.hasAttribute("alt")) say("no alternative text", image); });
  document.querySelectorAll("svg").forEach((svg) => { if (!svg.closest("[aria-hidden=true], [role=img]")) say("a drawing that is read", svg); });
  document.querySelectorAll("input").forEach((input) => { if (!input.labels.length) say("no label", input); });
  document.querySelectorAll("th").forEach((cell) => { if (!cell.hasAttribute("scope")) say("no scope", cell); });
  if (document.documentElement.scrollWidth > innerWidth + 1) say("wider than the window: " + document.documentElement.scrollWidth);
  document.querySelectorAll(".face").forEach((face) => {
    const rim = face.querySelector(".rim");
    if (shown(face) && rim.scrollHeight > rim.clientHeight + 1) say("text runs out of its card", face);
  });
  const parse = (text) => { const n = text.match(/[\d.]+/g).map(Number); return n.length < 4 ? [...n, 1] : n; };
  const light = (c) => { const l = c.slice(0, 3).map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2]; };
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor);
      if (color[3] > 0.99) return color;
    }
    return [255, 255, 255, 1];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !shown(node) || node.closest("[aria-hidden=true], script, style")) continue;
    const style = getComputedStyle(node);
    const [a, b] = [light(parse(style.color)), light(ground(node))].sort((x, y) => x - y);
    const size = parseFloat(style.fontSize);
    const needed = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    if ((b + 0.05) / (a + 0.05) < needed) say("a contrast of " + ((b + 0.05) / (a + 0.05)).toFixed(1), node);
  }
  return faults.slice(0, 20);
})()

"use strict";
// Our own few lines: forms and links that change parts of the page in place, outlines over the page, clicks in it.
// Everything but clicks in the page works without them.

const MAX_FRAME_PX = 30000;
// Pages are laid out for a window of at least this width, and shown smaller where there is less room
const MIN_PAGE_PX = 900;
const MAX_ELEMENTS_UNFIXED = 5000;
// A list whose records fill less of the box around them is outlined record by record
const MIN_FILLED = 0.4;

// --- parts of the page, changed in place ----------------------------------------------------------------------------

function say(message) {
  const toast = document.getElementById("toast");
  toast.textContent = message;
  toast.classList.add("shown");
  clearTimeout(say.timer);
  say.timer = setTimeout(() => toast.classList.remove("shown"), 3500);
}

async function swap(address, options) {
  document.body.classList.add("busy");
  const focused = document.activeElement?.id;
  const scrolled = document.querySelector(".data .scroller");
  const at = scrolled ? [scrolled.scrollLeft, scrolled.scrollTop] : null;
  try {
    const answer = await fetch(address, options);
    const text = await answer.text();
    const made = new DOMParser().parseFromString(text, "text/html");
    const workspace = document.querySelector("[data-workspace]");
    const fresh = made.querySelector("[data-workspace]");
    if (!workspace || !fresh || fresh.dataset.workspace !== workspace.dataset.workspace) {
      location.assign(answer.url);
      return;
    }
    const url = new URL(answer.url);
    const message = url.searchParams.get("message");
    url.searchParams.delete("message");
    workspace.dataset.query = fresh.dataset.query;
    for (const part of document.querySelectorAll("[data-live]")) {
      const other = made.getElementById(part.id);
      if (other) part.replaceWith(document.adoptNode(other));
    }
    history.replaceState(null, "", url);
    const again = document.querySelector(".data .scroller");
    if (again && at) again.scrollTo(at[0], at[1]);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    if (message) say(message);
    await outline();
  } catch {
    say("The server does not answer");
  } finally {
    document.body.classList.remove("busy");
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.matches("[data-swap]")) {
    event.preventDefault();
    swap(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
  } else if (form.matches("[data-busy]")) {
    const button = event.submitter ?? form.querySelector("button");
    if (button) { button.textContent = "Working…"; button.setAttribute("aria-busy", "true"); }
  }
});

document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-swap]");
  if (link && !event.metaKey && !event.ctrlKey) {
    event.preventDefault();
    swap(link.href);
    return;
  }
  const copy = event.target.closest("a[data-copy]");
  if (copy) {
    event.preventDefault();
    const answer = await fetch(copy.href);
    const text = await answer.text();
    if (!answer.ok) { say(JSON.parse(text).error?.message ?? "This cannot be copied"); return; }
    try { await navigator.clipboard.writeText(text); say("Copied"); } catch { location.assign(copy.href); }
  }
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target) || event.target.closest("a[download], a[data-copy]")) menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) { menu.open = false; menu.querySelector("summary").focus(); }
});

// The menu of a column stands above the table that scrolls below it
document.addEventListener("toggle", (event) => {
  const menu = event.target;
  if (!menu.matches?.("details.column")) return;
  const sheet = menu.querySelector(".sheet");
  if (!menu.open || innerWidth <= 560) { sheet.removeAttribute("style"); return; }
  const head = menu.querySelector("summary").getBoundingClientRect();
  sheet.style.position = "fixed";
  sheet.style.right = "auto";
  sheet.style.left = `${Math.max(Math.min(head.left, innerWidth - sheet.offsetWidth - 12), 8)}px`;
  sheet.style.top = `${Math.min(head.bottom + 2, Math.max(innerHeight - sheet.offsetHeight - 12, 8))}px`;
  menu.querySelector("input[name=name]")?.focus({ preventScroll: true });
}, true);

// A text that is cut shows the rest when it is pointed at
document.addEventListener("mouseover", (event) => {
  const clip = event.target.closest?.(".clip");
  if (clip && !clip.title && clip.scrollHeight > clip.clientHeight) clip.title = clip.textContent;
});

// Files: chosen or dropped, they are sent at once
for (const form of document.querySelectorAll("form[data-drop]")) {
  const input = form.querySelector("input[type=file]");
  input.addEventListener("change", () => { if (input.files.length) form.requestSubmit(); });
  for (const name of ["dragover", "dragleave", "drop"]) {
    form.addEventListener(name, (event) => { event.preventDefault(); form.classList.toggle("over", name === "dragover"); });
  }
  form.addEventListener("drop", (event) => {
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    form.requestSubmit();
  });
}

// --- outlines over the page ------------------------------------------------------------------------------------------
// The frame has the page's markup without scripts, in our origin, so that from here we can see where things stand in it.
// Nothing in it gets events: they go to the overlay, which lies above it.

const frame = document.getElementById("frame");
const picture = document.getElementById("picture");
const overlay = document.getElementById("overlay");
const stage = document.getElementById("stage");
let found = null;
let selected = null;
let looked = null;
let scale = 1;
let elements = new Map();

function boxOf(place) {
  if (picture) {
    const box = found.boxes?.[place];
    return box ? { left: box[0] * scale, top: box[1] * scale, width: box[2] * scale, height: box[3] * scale } : null;
  }
  const [row, index] = place.split(":");
  const element = elements.get(row);
  if (!element) return null;
  let target = element;
  if (index !== undefined) {
    const texts = [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
    if (!texts[index]) return null;
    target = frame.contentDocument.createRange();
    target.selectNodeContents(texts[index]);
  }
  const box = target.getBoundingClientRect();
  if (box.width < 2 || box.height < 2) return null;
  return { left: box.left * scale, top: box.top * scale, width: box.width * scale, height: box.height * scale };
}

function around(boxes) {
  const seen = boxes.filter(Boolean);
  if (!seen.length) return null;
  const left = Math.min(...seen.map((box) => box.left)), top = Math.min(...seen.map((box) => box.top));
  const right = Math.max(...seen.map((box) => box.left + box.width)), bottom = Math.max(...seen.map((box) => box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}

function mark({ kind, box, label, data }) {
  const made = document.createElement("div");
  made.className = `mark ${kind}`;
  made.style.left = `${box.left}px`;
  made.style.top = `${box.top}px`;
  made.style.width = `${box.width}px`;
  made.style.height = `${box.height}px`;
  Object.assign(made.dataset, data);
  if (label) { const name = document.createElement("b"); name.textContent = label; made.append(name); }
  return made;
}

// All is measured before anything is drawn: to measure after each mark would lay out the page again each time
function marks() {
  const all = [];
  const add = (kind, box, data, label) => { if (box) all.push({ kind, box, data, label }); };
  for (const list of found.lists) {
    const boxes = list.records.map((places) => around(places.map(boxOf))).filter(Boolean);
    const whole = around(boxes);
    const isScattered = whole && boxes.reduce((sum, box) => sum + box.width * box.height, 0) < MIN_FILLED * whole.width * whole.height;
    (isScattered ? boxes : [whole]).forEach((box, k) => add("list", box, {}, k ? "" : `list ${list.number}`));
  }
  found.records.forEach((places, record) => add("record", around(places.map(boxOf)), { record }));
  found.cells.forEach((cells, column) => cells.forEach((place, record) => {
    if (place) add(`cell c${column % 8}`, boxOf(place), { column, record });
  }));
  return all;
}

function draw() {
  overlay.classList.remove("dimmed");
  overlay.replaceChildren(...(found ? marks().map(mark) : []));
  if (!found) return;
  if (selected !== null) light(selected);
  if (looked !== found.number) {
    looked = found.number;
    const first = overlay.querySelector(".record");
    if (first) stage.parentElement.scrollTop = Math.max(first.offsetTop - 60, 0);
  }
}

function light(column) {
  selected = column;
  overlay.classList.toggle("dimmed", column !== null);
  for (const cell of document.querySelectorAll("#overlay .cell, .records [data-column]")) {
    cell.classList.toggle("on", column !== null && cell.dataset.column === String(column));
  }
}

function show(record) {
  for (const row of document.querySelectorAll("#overlay .record, .records tr[data-record]")) {
    row.classList.toggle("on", row.dataset.record === String(record));
  }
}

async function outline() {
  const workspace = document.querySelector("[data-workspace]");
  if (!workspace || !overlay) return;
  const isList = new URLSearchParams(workspace.dataset.query).get("view") === "list";
  found = isList ? await (await fetch(`${workspace.dataset.workspace}/outlines?${workspace.dataset.query}`)).json() : null;
  draw();
}

// What covers the screen in a page would cover the page here: it is put where it stands in the text
function unfix() {
  const all = [...frame.contentDocument.querySelectorAll("[data-n]")];
  elements = new Map(all.map((element) => [element.dataset.n, element]));
  for (const element of all.slice(0, MAX_ELEMENTS_UNFIXED)) {
    const { position } = frame.contentWindow.getComputedStyle(element);
    if (position === "fixed" || position === "sticky") element.style.setProperty("position", "static", "important");
  }
  fit();
}

function fit() {
  const room = stage.parentElement.clientWidth;
  if (picture) {
    scale = picture.clientWidth / (picture.naturalWidth || 1);
    return;
  }
  const inner = frame.contentDocument;
  scale = Math.min(room / MIN_PAGE_PX, 1);
  frame.style.width = `${room / scale}px`;
  frame.style.height = "300px";
  const height = Math.max(inner.documentElement?.scrollHeight ?? 0, inner.body?.scrollHeight ?? 0);
  const shown = Math.min(Math.max(height, 300), MAX_FRAME_PX);
  frame.style.height = `${shown}px`;
  frame.style.transform = `scale(${scale})`;
  stage.style.height = `${shown * scale}px`;
}

function rowAt(x, y) {
  if (!picture) return frame.contentDocument?.elementFromPoint(x / scale, y / scale)?.closest("[data-n]")?.dataset.n ?? null;
  let best = null, least = Infinity;
  for (const [place, [left, top, width, height]] of Object.entries(found?.boxes ?? {})) {
    const isIn = x >= left * scale && y >= top * scale && x <= (left + width) * scale && y <= (top + height) * scale;
    if (isIn && width * height <= least) { least = width * height; best = place.split(":")[0]; }
  }
  return best;
}

async function pick(row) {
  const workspace = document.querySelector("[data-workspace]");
  const { workspace: base, query } = workspace.dataset;
  const answer = await fetch(`${base}/pick?${query}`, { method: "POST", body: new URLSearchParams({ row }) });
  const picked = await answer.json();
  if (picked.kind === "list") {
    const state = new URLSearchParams(query);
    state.set("list", picked.list);
    await swap(`${base}?${state}`);
    say(`List ${picked.list}`);
  } else if (picked.kind === "hidden") {
    await swap(`${base}?${query}`);
    say(`${picked.column} is a column now`);
    light([...document.querySelectorAll("th[data-column]")].findIndex((head) => head.dataset.name === picked.column));
  } else if (picked.kind === "cell") {
    const head = [...document.querySelectorAll("th[data-column]")].find((each) => each.dataset.name === picked.column);
    light(head ? Number(head.dataset.column) : null);
    show(picked.record);
    document.querySelector(`tr[data-record="${picked.record}"]`)?.scrollIntoView({ block: "nearest" });
  } else if (picked.kind === "record") {
    show(picked.record);
    say("This is in the record, but not a value of its own");
  } else {
    say("No list has been found here");
  }
}

if (overlay) {
  overlay.addEventListener("click", (event) => {
    const box = stage.getBoundingClientRect();
    const row = rowAt(event.clientX - box.left, event.clientY - box.top);
    if (row !== null && row !== undefined) pick(row);
  });
  document.addEventListener("click", (event) => {
    const head = event.target.closest("th[data-column]");
    if (head && event.target.closest("summary")) light(Number(head.dataset.column));
    const row = event.target.closest("tr[data-record]");
    if (row && event.target.closest("td")) { show(row.dataset.record); light(Number(event.target.closest("td").dataset.column)); }
  });
  const ready = () => { if (frame) unfix(); else fit(); outline(); };
  if (frame) {
    frame.addEventListener("load", ready);
    if (frame.contentDocument?.readyState === "complete" && frame.contentDocument.URL !== "about:blank") ready();
  } else if (picture) {
    if (picture.complete) ready(); else picture.addEventListener("load", ready);
  }
  let width = stage.parentElement.clientWidth;
  new ResizeObserver(() => {
    if (stage.parentElement.clientWidth === width) return;
    width = stage.parentElement.clientWidth;
    fit();
    if (found) draw();
  }).observe(stage.parentElement);
}

// The switch between the channel and the threads of games, which simcord's page does not have.
//
// It goes to another place by submitting the page's own form "Jump to message ID" with the target "channel/message".

const INTERVAL_MILLISECONDS = 1000;
const STORED_PLACE = "castellan-place";
const ADDRESS = /^https:\/\/discord\.com\/channels\/\d+\/(\d+)(?:\/(\d+))?$/;

const picker = document.getElementById("place-picker");
const form = document.getElementById("message-exact-form");
const field = document.getElementById("message-exact-id");
let shown = "";
let wanted = sessionStorage.getItem(STORED_PLACE); // the place before the page was reloaded

function go(channel, message = "") {
  sessionStorage.setItem(STORED_PLACE, channel);
  wanted = null;
  field.value = `${channel}/${message}`;
  form.requestSubmit();
  field.value = "";
}

function show({ current, places }) {
  const state = JSON.stringify([current, places]);
  if (state === shown) return;
  shown = state;
  picker.replaceChildren(...places.map(({ id, name, thread, news }) => {
    const option = new Option(`${news && id !== current ? "● " : ""}${thread ? "🧵 " : "# "}${name}`, id);
    option.selected = id === current;
    return option;
  }));
}

async function update() {
  const { contextId, ready } = window.simcordPreview ?? {};
  if (contextId) {
    try {
      const headers = { "X-Simcord-Capability": location.hash.slice(1), "X-Simcord-Context": contextId };
      const answer = await fetch("/threads.json", { headers, cache: "no-store" });
      if (answer.ok) {
        const news = await answer.json();
        show(news);
        if (ready && wanted && wanted !== news.current && news.places.some(({ id }) => id === wanted)) go(wanted);
        else if (ready) wanted = null;
      }
    } catch {
      // The preview has ended, which simcord's page says.
    }
  }
  setTimeout(update, INTERVAL_MILLISECONDS);
}

picker.addEventListener("change", () => go(picker.value));
document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const [, channel, message] = ADDRESS.exec(target?.closest("a[href]")?.href ?? "") ?? [];
  const started = target?.closest(".thread-summary")?.closest("[data-message-id]"); // a thread has its message's id
  if (channel) go(channel, message);
  else if (started instanceof HTMLElement) go(started.dataset.messageId);
  else return;
  event.preventDefault();
}, true);
void update();

import { computed, effect } from "@preact/signals";
import { render } from "preact";
import "./tokens.css";
import "./base.css";
import "./parts/card.css";
import "./flow/flow.css";
import "./table/table.css";
import "./table/pack.css";
import "./screens/screens.css";
import "./people/people.css";
import { App } from "./app";
import { listenToHouse } from "./flow/news";
import { fileIsHere, warm } from "./kitchen";
import { listen } from "./router";
import { registerService } from "./service";
import { dress, followTabs, settings } from "./settings";
import { preferred, speak } from "./words";

dress();
followTabs();
listen(() => {
  scrollTo(0, 0);
  document.getElementById("main")?.focus({ preventScroll: true });
});
const tongue = computed(() => preferred(settings.value.language, navigator.languages));
void speak(tongue.value).finally(() => {
  const place = document.getElementById("app");
  if (place) render(<App />, place);
  effect(() => void speak(tongue.value));
});
listenToHouse();
if (fileIsHere()) warm();
void registerService();

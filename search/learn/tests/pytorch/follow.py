"""Follows a recorded search with PyTorch: the same networks, targets, trainings and choices.

    python3 follow.py

Reads session.json, which the tests of this crate write, and writes trainings.json, which they compare with. Ends with an error where
a direction of the session is not the one that the network values most.
"""

import json
import math
import pathlib

import torch

HERE = pathlib.Path(__file__).parent
MASK = (1 << 64) - 1


class Random:
    """The generator of terrace-support: splitmix64, from a list of numbers"""

    def __init__(self, key):
        state = len(key)
        for word in key:
            state = Random.mixed((state ^ word) + 0x9E3779B97F4A7C15 & MASK)
        self.state = state

    @staticmethod
    def mixed(z):
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return z ^ (z >> 31)

    def unit(self):
        self.state = self.state + 0x9E3779B97F4A7C15 & MASK
        return (Random.mixed(self.state) >> 11) / (1 << 53)


def network(inputs, outputs, seed):
    sizes = [inputs, 64, 64, 64, outputs]
    layers = []
    for layer in range(4):
        linear = torch.nn.Linear(sizes[layer], sizes[layer + 1], dtype=torch.float64)
        bound = 1.0 / math.sqrt(sizes[layer])
        for sequence, parameter in enumerate([linear.weight, linear.bias]):
            rng = Random([seed, layer, sequence])
            values = [(2.0 * rng.unit() - 1.0) * bound for _ in range(parameter.numel())]
            with torch.no_grad():
                parameter.copy_(torch.tensor(values, dtype=torch.float64).reshape(parameter.shape))
        layers += [linear] + ([torch.nn.ReLU()] if layer < 3 else [])
    return torch.nn.Sequential(*layers)


def best_first(values):
    rounded = [math.floor(abs(v) * (1 << 20) + 0.5) * (1 if v >= 0 else -1) for v in values]
    return sorted(range(len(values)), key=lambda n: -rounded[n])


def main():
    session = json.loads((HERE / "session.json").read_text())
    trials = session["trials"]
    inputs = len(trials[0]["features"])
    x = network(inputs, session["outputs"], session["seed"])
    y = network(inputs, session["outputs"], session["seed"])
    optimizer = torch.optim.Adadelta(x.parameters(), lr=0.02, rho=0.9, eps=1e-6)
    tensor = lambda rows: torch.tensor(rows, dtype=torch.float64)
    visited, moves, trainings = set(), [], []
    for count, trial in enumerate(trials, 1):
        if trial["moved"]:
            number, direction = trial["moved"]
            start = trials[number - 1]
            with torch.no_grad():
                values = x(tensor([start["features"]]))[0].tolist()
            leads = {n: point for n, point in start["neighbours"] if point not in visited}
            chosen = next(n for n in best_first(values) if n in leads)
            assert (chosen, leads[chosen]) == (direction, trial["point"]), f"trial {count}: {chosen}, not {direction}"
            cost = trial["cost"]
            value, before = (None if cost is None else 1.0 / cost), 1.0 / start["cost"]
            reward = -1.0 if value is None else (value - before) / before
            moves.append((start["features"], direction, None if value is None else trial, reward))
        visited.add(trial["point"])
        if count % session["every"] or not moves:
            continue
        targets = []
        for _, _, to, reward in moves:
            best = 0.0
            if to is not None:
                with torch.no_grad():
                    values = y(tensor([to["features"]]))[0].tolist()
                leads = {n for n, point in to["neighbours"] if point not in visited}
                best = next((values[n] for n in best_first(values) if n in leads), 0.0)
            targets.append(reward + session["alpha"] * best)
        rows = tensor([move[0] for move in moves])
        taken = torch.tensor([[move[1]] for move in moves])
        losses = []
        for _ in range(20):
            optimizer.zero_grad()
            loss = torch.nn.functional.mse_loss(x(rows).gather(1, taken)[:, 0], tensor(targets))
            losses.append(loss.item())
            loss.backward()
            optimizer.step()
        y.load_state_dict(x.state_dict())
        parameters = torch.cat([parameter.detach().flatten() for parameter in x.parameters()])
        trainings.append({"losses": losses, "sum": parameters.sum().item(), "squares": (parameters**2).sum().item()})
    text = ",\n".join(json.dumps(training) for training in trainings)
    (HERE / "trainings.json").write_text(f"[{text}]\n")
    print(f"{len(trials)} trials, {len(moves)} moves, {len(trainings)} trainings")


main()

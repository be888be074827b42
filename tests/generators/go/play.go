// Plays two games through the client that openapi-generator makes.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"navalbattle/client"
)

var fleet = strings.Fields("D4 B4 C4 E4 B2 C2 D2 E2 F2 B6 C6 D6 F6 F7 F8 B8 C8")

func layout() client.PlaceRequest {
	down := client.NewShipRequest(3, "F6")
	down.SetDirection(client.DIRECTION_DOWN)
	layout := client.NewPlaceRequest([]client.ShipRequest{
		*client.NewShipRequest(5, "B2"), *client.NewShipRequest(4, "B4"), *client.NewShipRequest(3, "B6"),
		*down, *client.NewShipRequest(2, "B8"),
	})
	layout.SetMines([]string{"J10"})
	return *layout
}

// good stops where a request that must go well does not.
func good(err error) {
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

type table struct {
	api         *client.GamesAPIService
	id          string
	host, guest context.Context
}

func open(base string) table {
	settings := client.NewConfiguration()
	settings.Servers = client.ServerConfigurations{{URL: base}}
	api := client.NewAPIClient(settings).GamesAPI
	anybody := context.Background()
	options := client.NewOptionsRequest()
	options.SetFirst(client.FIRSTSHOT_HOST)
	options.SetShootAgain(true)
	body := client.NewCreateRequest()
	body.SetName("Anna")
	body.SetOptions(*options)
	created, _, err := api.CreateGame(anybody).CreateRequest(*body).Execute()
	good(err)
	asked := client.NewJoinRequest()
	asked.SetName("Boris")
	joined, _, err := api.JoinGame(anybody, created.Game.Id).JoinRequest(*asked).Execute()
	good(err)
	as := func(token string) context.Context {
		return context.WithValue(anybody, client.ContextAccessToken, token)
	}
	table := table{api, created.Game.Id, as(created.Token), as(joined.Token)}
	for _, seat := range []context.Context{table.host, table.guest} {
		_, _, err := api.PlaceFleet(seat, table.id).PlaceRequest(layout()).Execute()
		good(err)
	}
	return table
}

func (table table) fire(seat context.Context, cell string) (*client.MoveReply, error) {
	shots := *client.NewFireRequest([]string{cell})
	reply, _, err := table.api.FireShots(seat, table.id).FireRequest(shots).Execute()
	return reply, err
}

func what(events []client.GameEvent) string {
	var words []string
	for _, event := range events {
		switch kind := event.GetActualInstance().(type) {
		case *client.FiredEvent:
			for _, shot := range kind.Shots {
				words = append(words, string(shot.Outcome))
			}
		case *client.RevealedEvent:
			words = append(words, kind.Cells...)
		case *client.ResignedEvent:
			words = append(words, kind.Type)
		default:
			words = append(words, fmt.Sprintf("%T", kind))
		}
	}
	return strings.Join(words, "+")
}

func main() {
	base := "http://localhost:8080"
	if len(os.Args) > 1 {
		base = os.Args[1]
	}
	game := open(base)
	struck, err := game.fire(game.host, "J10")
	good(err)
	fmt.Println("struck", what(struck.Events), "owes", struck.Awaiting[0].Count)
	cells := *client.NewRevealRequest([]string{"D4"})
	given, _, err := game.api.RevealCells(game.host, game.id).RevealRequest(cells).Execute()
	good(err)
	fmt.Println("gave", what(given.Events))
	for _, cell := range fleet {
		_, err := game.fire(game.guest, cell)
		good(err)
	}
	log, _, err := game.api.ListEvents(game.guest, game.id).Execute()
	good(err)
	result := log.Events[len(log.Events)-1].FiredEvent.GetResult()
	fmt.Println(len(log.Events), "events,", *result.Winner.Get(), "won by", result.Reason)
	verified, _, err := game.api.VerifyGame(game.guest, game.id).Execute()
	good(err)
	fmt.Println("verified", verified.Ok && verified.Complete)

	other := open(base)
	resigned, _, err := other.api.ResignGame(other.guest, other.id).Body(map[string]interface{}{}).Execute()
	good(err)
	result = resigned.Events[0].ResignedEvent.GetResult()
	fmt.Println(what(resigned.Events), "so", *result.Winner.Get(), "won")
	_, err = other.fire(other.host, "A1")
	if refused, is := err.(*client.GenericOpenAPIError); is {
		if problem, is := refused.Model().(client.Problem); is {
			fmt.Println("refused", problem.Code)
		}
	}
}
